import type { BetterAuthClientPlugin } from "better-auth/client";
import type { RiskGatePlugin } from "./risk-gate.js";

/** A challenge that the server asks for. */
export interface ChallengeRequest {
  readonly token: string;
}

export interface RiskGateClientOptions {
  /**
   * Shows the challenge, and returns the headers that `verifyChallenge` reads; the request is then
   * sent once more. Without headers, the caller receives the error.
   */
  readonly onChallenge?: (
    challenge: ChallengeRequest,
  ) => Promise<Readonly<Record<string, string>> | undefined>;
}

export interface RiskGateClientPlugin extends Pick<BetterAuthClientPlugin, "fetchPlugins"> {
  readonly id: "risk-gate";
  readonly $InferServerPlugin: RiskGatePlugin;
}

/**
 * Adds the plugin's error codes to the types of the client, and repeats challenged requests.
 *
 * @example
 * createAuthClient({ plugins: [riskGateClient({ onChallenge: async () => ({ "x-captcha": await solve() }) })] });
 */
export function riskGateClient({ onChallenge }: RiskGateClientOptions = {}): RiskGateClientPlugin {
  return {
    id: "risk-gate",
    $InferServerPlugin: {} as RiskGatePlugin,
    fetchPlugins: onChallenge ? [challengePlugin(onChallenge)] : [],
  };
}

type FetchPlugin = NonNullable<BetterAuthClientPlugin["fetchPlugins"]>[number];

function challengePlugin(
  onChallenge: NonNullable<RiskGateClientOptions["onChallenge"]>,
): FetchPlugin {
  return {
    id: "risk-gate",
    name: "riskgate challenges",
    init(url, options) {
      const send = options?.customFetchImpl ?? fetch;
      const customFetchImpl: typeof fetch = async (input, init) => {
        const response = await send(input, init);
        const token = response.status === 403 ? await tokenOf(response) : undefined;
        const solved = token === undefined ? undefined : await onChallenge({ token });
        if (token === undefined || !solved) return response;
        const headers = new Headers(init?.headers);
        for (const [name, value] of Object.entries(solved)) headers.set(name, value);
        headers.set("x-challenge-token", token);
        return send(input, { ...init, headers });
      };
      return { url, options: { ...options, customFetchImpl } };
    },
  };
}

async function tokenOf(response: Response): Promise<string | undefined> {
  try {
    const body = (await response.clone().json()) as { code?: unknown; challengeToken?: unknown };
    const { code, challengeToken } = body;
    if (code !== "CHALLENGE_REQUIRED" || typeof challengeToken !== "string") return undefined;
    return challengeToken;
  } catch {
    return undefined;
  }
}
