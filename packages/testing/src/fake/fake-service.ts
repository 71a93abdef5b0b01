import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readOptions } from "@riskgate/core/adapter";
import { emailProblem, normalizeIp } from "@riskgate/core/address";
import { createAnswerTable, type FakeAnswer, membersOf } from "./answer-table.js";
import { fakeEmailAssessment, fakeIpAssessment } from "./fake-assessment.js";
import { SERVICE_FAULTS, type ServiceFault, writeError, writeFault } from "./service-fault.js";

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** A lookup service on this machine. */
export interface FakeService {
  /** `http://127.0.0.1` with the port. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Every request so far, in order, including refused ones. */
  readonly requests: readonly ServiceRequest[];
  /** Maximum number of simultaneous requests. */
  readonly peak: number;
  readonly connections: number;
  set(identifier: string, answer: FakeAnswer<ServiceFault>): void;
  close(): Promise<void>;
}

export interface FakeServiceOptions {
  readonly answers?: Readonly<Record<string, FakeAnswer<ServiceFault>>>;
  /** Response for every other identifier; default a score of 0. */
  readonly otherwise?: FakeAnswer<ServiceFault>;
  /** Default `fake-key-1`. */
  readonly apiKey?: string;
}

const PATH = /^\/v1\/(ips|emails)\/([^/?]+)$/;

/**
 * Starts a small server with the lookup API, fixed responses and faults.
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or response.
 */
export async function createFakeService(options: FakeServiceOptions = {}): Promise<FakeService> {
  const { answers, otherwise, apiKey } = readOptions("createFakeService", options, (read) => ({
    answers: (read.value("answers") ?? {}) as Record<string, FakeAnswer<ServiceFault>>,
    otherwise: (read.value("otherwise") ?? {}) as FakeAnswer<ServiceFault>,
    apiKey: read.string("apiKey") ?? "fake-key-1",
  }));
  const table = createAnswerTable(SERVICE_FAULTS, answers, otherwise);
  const requests: ServiceRequest[] = [];
  const sockets = new Set<unknown>();
  let open = 0;
  let peak = 0;

  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    const { url: path = "", method = "", headers } = request;
    requests.push({ method, path, headers });
    if (headers["x-api-key"] !== apiKey) {
      writeError(response, 401, "Invalid API key");
      return;
    }
    const [, kind, segment] = PATH.exec(path) ?? [];
    const identifier = segment && decoded(segment);
    if (!identifier) {
      writeError(response, 404, "No such resource");
      return;
    }
    const isUsable = kind === "ips" ? normalizeIp(identifier) : !emailProblem(identifier);
    if (!isUsable) {
      writeError(response, 400, kind === "ips" ? "Invalid IP" : "Invalid email");
      return;
    }
    const answer = table.find(identifier);
    const assess = kind === "ips" ? fakeIpAssessment : fakeEmailAssessment;
    const text = JSON.stringify(assess(identifier, membersOf(answer)));
    const write = (): void => {
      if (response.destroyed) return;
      if (answer.fault) writeFault(response, answer.fault, text);
      else response.writeHead(200, { "content-type": "application/json" }).end(text);
    };
    const { delayMs = 0 } = answer;
    if (delayMs === 0) write();
    else if (delayMs !== Infinity) {
      const timer = setTimeout(write, delayMs);
      response.once("close", () => clearTimeout(timer));
    }
  };

  const server = createServer((request, response) => {
    peak = Math.max(peak, ++open);
    response.once("close", () => open--);
    request.resume();
    respond(request, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    requests,
    get peak() {
      return peak;
    },
    get connections() {
      return sockets.size;
    },
    set: table.set,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
