import { type ReactNode, useState } from "react";
import { exampleCommand } from "../example-value.js";
import {
  type OpenapiDocument,
  type Operation,
  type Parameter,
  type Schema,
  schemaOf,
} from "../openapi-document.js";
import { namesIn, schemaText } from "../schema-text.js";
import { CopyButton } from "./copy-button.js";
import { type Column, RowList } from "./row-list.js";
import { Json } from "./foreign.js";

interface DetailsProps {
  readonly document: OpenapiDocument;
  readonly operation: Operation;
}

export function OperationDetails({ document, operation }: DetailsProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { method, path, summary } = operation;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code className={`method ${method.toLowerCase()}`}>{method}</code> <code>{path}</code>{" "}
        <span className="dim">{summary}</span>
      </summary>
      {isOpen && <Contents document={document} operation={operation} />}
    </details>
  );
}

function Contents({ document, operation }: DetailsProps): ReactNode {
  const { description, parameters, body, answers, security } = operation;
  const command = exampleCommand(document, globalThis.location.origin, operation);
  return (
    <div className="stack">
      {description !== undefined && <p>{description}</p>}
      <p className="dim">
        {security.length === 0 ? "Everybody may ask." : `Opened by ${security.join(" or ")}.`}
      </p>
      <Json value={command} label="As a command" />
      <div className="row">
        <CopyButton text={command}>Copy as curl</CopyButton>
      </div>
      {parameters.length > 0 && (
        <RowList label="Parameters" columns={PARAMETERS} rows={parameters} empty="" />
      )}
      {body && (
        <>
          <h3>Body</h3>
          <SchemaPart document={document} schema={body} label="Body" />
        </>
      )}
      {answers.map(([status, answer]) => {
        const schema = schemaOf(answer);
        const isRefusal = Number(status) >= 400;
        return (
          <div key={status} className="stack">
            <h3>
              {status} <span className="dim">{answer.description}</span>
            </h3>
            {schema && !isRefusal && (
              <SchemaPart document={document} schema={schema} label={`Answer ${status}`} />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** A schema, followed by the schemas that it references. */
function SchemaPart({
  document,
  schema,
  label,
}: {
  readonly document: OpenapiDocument;
  readonly schema: Schema;
  readonly label: string;
}): ReactNode {
  const { schemas } = document.components;
  return (
    <>
      <Json value={schemaText(schema)} label={label} />
      {namesIn(schema).map((name) => (
        <SchemaDetails key={name} document={document} name={name} schema={schemas[name] ?? {}} />
      ))}
    </>
  );
}

/** A named schema, rendered only when opened, because schemas may be recursive. */
function SchemaDetails({
  document,
  name,
  schema,
}: {
  readonly document: OpenapiDocument;
  readonly name: string;
  readonly schema: Schema;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{name}</code> <span className="dim">{schema.description}</span>
      </summary>
      {isOpen && <SchemaPart document={document} schema={schema} label={name} />}
    </details>
  );
}

const PARAMETERS: readonly Column<Parameter>[] = [
  { title: "Parameter", cell: ({ name }) => <code>{name}</code> },
  { title: "In", cell: (parameter) => parameter.in },
  { title: "Needed", cell: ({ required }) => (required ? "yes" : "no") },
  { title: "Type", cell: ({ schema }) => <code>{schemaText(schema)}</code> },
  { title: "Meaning", cell: ({ description, schema }) => description ?? schema.description ?? "" },
];
