import { type ReactNode, useState } from "react";
import { Button } from "./button.js";
import { call } from "../call.js";
import { Field } from "./field.js";
import { ErrorPanel } from "./error-panel.js";
import { Notice } from "./notice.js";
import { useAction } from "./use-action.js";
import { submitting } from "../submitting.js";

/** Checks a signature with an application's secrets, which remain in the service. */
export function VerifyForm({
  applicationId,
  body: givenBody = "",
  signature: givenSignature = "",
}: {
  readonly applicationId: string;
  readonly body?: string;
  readonly signature?: string;
}): ReactNode {
  const [body, setBody] = useState(givenBody);
  const [signature, setSignature] = useState(givenSignature);
  const check = useAction(() =>
    call("POST /applications/{id}/verify", {
      parts: { id: applicationId },
      body: { body, signature },
    }),
  );
  return (
    <form className="section" onSubmit={submitting(() => check.mutate())}>
      <h2>Verify a signature</h2>
      <Field title="Body, byte for byte">
        {(control) => (
          <textarea
            {...control}
            value={body}
            onChange={({ target }) => {
              setBody(target.value);
              check.reset();
            }}
          />
        )}
      </Field>
      <Field title="Signature">
        {(control) => (
          <input
            {...control}
            value={signature}
            onChange={({ target }) => {
              setSignature(target.value);
              check.reset();
            }}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" disabled={check.isPending}>
          Verify
        </Button>
      </div>
      {check.data?.valid === true && <Notice tone="good">The signature is valid.</Notice>}
      {check.data?.valid === false && (
        <p className="notice bad" role="status">
          The signature is not valid for this body.
        </p>
      )}
      {check.error && <ErrorPanel error={check.error} />}
    </form>
  );
}
