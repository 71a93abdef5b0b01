import { type ReactNode, useEffect, useState } from "react";
import { CallError, signIn } from "../call.js";
import { Trouble } from "../parts/notice.js";
import { submitting } from "../submitting.js";

export function SignInPage(): ReactNode {
  const [token, setToken] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    document.title = "Sign in - riskgate";
  }, []);
  const submit = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await signIn(token.trim());
    } catch (caught) {
      const isWrong = caught instanceof CallError && caught.status === 401;
      setError(isWrong ? new Error("This is not the administration token") : (caught as Error));
      setIsBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <h1>riskgate</h1>
      <form className="panel" onSubmit={submitting(() => void submit())}>
        <label>
          Administration token
          <input
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <button className="main" type="submit" disabled={isBusy}>
          Sign in
        </button>
        {error && <Trouble error={error} />}
      </form>
      <p className="dim">
        It is what the service was started with: RISKGATE_ADMIN_TOKEN, or the token that{" "}
        <code>riskgate serve</code> left in <code>admin.json</code> of its data directory.
      </p>
    </main>
  );
}
