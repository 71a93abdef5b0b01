import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { readDocument } from "../call.js";
import { type OpenapiDocument, operationsOf } from "../openapi-document.js";
import { Waiting } from "../parts/waiting.js";
import { OperationDetails } from "../parts/operation-details.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";

export function ApiPage(): ReactNode {
  const query = useQuery({
    queryKey: ["/openapi.json"],
    queryFn: () => readDocument<OpenapiDocument>("/openapi.json"),
    staleTime: Infinity,
  });
  return (
    <Page title="API" actions={<a href="/openapi.json">OpenAPI document</a>}>
      <Waiting query={query} />
      {query.data && <Operations document={query.data} />}
    </Page>
  );
}

function Operations({ document }: { readonly document: OpenapiDocument }): ReactNode {
  const [wanted, setWanted] = useState("");
  const operations = useMemo(() => operationsOf(document), [document]);
  const words = wanted.toLowerCase().split(/\s+/);
  const found = operations.filter(({ method, path, summary }) => {
    const text = `${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      <div className="section">
        <label>
          Find an operation
          <input type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
        </label>
        <p role="status" className="dim">
          {found.length} of {operations.length} operations
        </p>
      </div>
      {document.tags.map(({ name, description }) => {
        const own = found.filter(({ tag }) => tag === name);
        if (own.length === 0) return null;
        return (
          <div key={name} className="contents api-tag">
            <Section title={name} about={description}>
              <div className="operations">
                {own.map((operation) => (
                  <OperationDetails key={operation.id} document={document} operation={operation} />
                ))}
              </div>
            </Section>
          </div>
        );
      })}
    </>
  );
}
