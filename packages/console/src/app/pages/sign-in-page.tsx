import { type ReactNode, useEffect, useState } from "react";
import { Brand } from "../frame/menu.js";
import { Button } from "../parts/button.js";
import { CallError, signIn } from "../call.js";
import { ErrorPanel } from "../parts/error-panel.js";
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
      <Brand />
      <form className="section" onSubmit={submitting(() => void submit())}>
        <h1>Sign in</h1>
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
        <Button look="main" type="submit" disabled={isBusy}>
          Sign in
        </Button>
        {error && <ErrorPanel error={error} />}
      </form>
      <p className="dim">
        The token is the value of <code>RISKGATE_ADMIN_TOKEN</code>. If you have not set it,{" "}
        <code>riskgate serve</code> has stored a token in <code>admin.json</code>, in its data
        directory.
      </p>
    </main>
  );
}
