import { Search, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { identityDigest, MIN_SECRET_BYTES } from "../identity-digest.js";
import { submitting } from "../submitting.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { ErrorPanel } from "./error-panel.js";
import { useAction } from "./use-action.js";

/** Finds the logged decisions about an address or account, which contain a digest instead of its name. */
export function DecisionFinder({
  type,
  identity,
  digest,
  onChange,
}: {
  readonly type: "ip" | "account";
  readonly identity: string;
  /** Empty until one is computed. */
  readonly digest: string;
  readonly onChange: (digest: string) => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (digest !== "") {
    return (
      <Button look="quiet" icon={X} onClick={() => onChange("")}>
        Hide logged decisions
      </Button>
    );
  }
  return (
    <>
      <Button look="quiet" icon={Search} onClick={() => setOpen(true)}>
        Find logged decisions
      </Button>
      <Dialog title="Find logged decisions" isOpen={isOpen} onOpenChange={setOpen}>
        <SecretForm
          type={type}
          identity={identity}
          onClose={() => setOpen(false)}
          onFound={(found) => {
            setOpen(false);
            onChange(found);
          }}
        />
      </Dialog>
    </>
  );
}

function SecretForm({
  type,
  identity,
  onClose,
  onFound,
}: {
  readonly type: "ip" | "account";
  readonly identity: string;
  readonly onClose: () => void;
  readonly onFound: (digest: string) => void;
}): ReactNode {
  const [secret, setSecret] = useState("");
  const find = useAction(() => identityDigest(type, identity, secret));
  const isSafe = globalThis.isSecureContext;
  return (
    <form
      className="stack tight"
      onSubmit={submitting(() => find.mutate(undefined, { onSuccess: onFound }))}
    >
      <p>
        Decision logs contain digests instead of addresses. With the secret of the log, this page
        computes the digest. The secret stays in this browser.
      </p>
      <label>
        Secret of the decision log
        <input
          type="password"
          autoComplete="off"
          required
          minLength={MIN_SECRET_BYTES}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
      </label>
      {!isSafe && <ErrorPanel error="Open the console over HTTPS or on this machine to do this" />}
      {find.error && <ErrorPanel error={find.error} />}
      <div className="actions end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" disabled={!isSafe || find.isPending}>
          Find
        </Button>
      </div>
    </form>
  );
}
