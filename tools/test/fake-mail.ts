import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An accepted mail. */
export interface FakeMessage {
  readonly From: string;
  readonly To: string;
  readonly Subject: string;
  readonly TextBody: string;
}

/** A local copy of the mail service Postmark. */
export interface FakeMail {
  readonly url: string;
  readonly sent: readonly FakeMessage[];
  /** Answers the next request with this status; 0 never answers. */
  break(status: number): void;
  close(): Promise<void>;
}

/** Serves `POST /email`. Source: Postmark's page on its email API. */
export async function serveMail(token: string): Promise<FakeMail> {
  const sent: FakeMessage[] = [];
  const broken: number[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    void request.toArray().then((chunks) => {
      const status = broken.shift();
      if (status === 0) return;
      if (status !== undefined) return answer(status, { ErrorCode: 100, Message: "Maintenance" });
      if (request.headers["x-postmark-server-token"] !== token) {
        return answer(401, { ErrorCode: 10, Message: "No Account or Server API tokens" });
      }
      const message = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as FakeMessage;
      if (!message.From || !message.To || !message.TextBody) {
        return answer(422, { ErrorCode: 300, Message: "Invalid email request" });
      }
      sent.push(message);
      const SubmittedAt = new Date().toISOString();
      const MessageID = "0a129aee-e1cd-480d-b08d-4f48548ff48d";
      return answer(200, { To: message.To, SubmittedAt, MessageID, ErrorCode: 0, Message: "OK" });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/email`,
    sent,
    break: (status) => void broken.push(status),
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
