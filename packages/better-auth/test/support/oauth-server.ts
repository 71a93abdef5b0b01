import { serveHttp } from "@riskgate/testing";

export interface OAuthServer {
  readonly url: string;
  /** Logs in as this user from now on. */
  as(email: string): void;
  close(): Promise<void>;
}

/** An OAuth provider on this machine that approves every request. */
export async function startOAuthServer(): Promise<OAuthServer> {
  let email = "";
  const { port, close } = await serveHttp((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "code-1");
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    request.resume();
    const answer =
      url.pathname === "/token"
        ? { access_token: "token-1", token_type: "Bearer", expires_in: 3600 }
        : { sub: `id-of-${email}`, id: `id-of-${email}`, email, name: "Ada", email_verified: true };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  return { url: `http://127.0.0.1:${port}`, as: (next) => void (email = next), close };
}
