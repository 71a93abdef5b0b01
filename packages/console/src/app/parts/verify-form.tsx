import { type ReactNode, useState } from "react";
import { call } from "../call.js";
import { Field } from "./field.js";
import { Done, Trouble } from "./notice.js";
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
    <form className="panel" onSubmit={submitting(() => check.mutate())}>
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
        <button type="submit" disabled={check.isPending}>
          Verify
        </button>
      </div>
      {check.data?.valid === true && <Done>The signature is valid.</Done>}
      {check.data?.valid === false && (
        <p className="notice bad" role="status">
          The signature is not valid for this body.
        </p>
      )}
      {check.error && <Trouble error={check.error} />}
    </form>
  );
}
