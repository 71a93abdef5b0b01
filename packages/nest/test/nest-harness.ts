import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Body,
  Controller,
  HttpCode,
  HttpException,
  type LoggerService,
  Module,
  Post,
  Res,
  type Type,
} from "@nestjs/common";
import { type AbstractHttpAdapter, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { Decision } from "@riskgate/core";
import type { CookieResponse } from "@riskgate/core/device";
import {
  type AdapterHarness,
  type AppPlan,
  createFakeLookup,
  type GatePlan,
  type GatePlanOptions,
  type LoginPlan,
  type WriteAnswer,
} from "@riskgate/testing";
import express from "express";
import { LoginWatch } from "../src/login-watch.js";
import type { HookArgs } from "../src/platform.js";
import { RiskGate } from "../src/risk-gate.js";
import { RiskGateModule } from "../src/risk-gate-module.js";
import { RiskGateWebhookModule } from "../src/risk-gate-webhook-module.js";
import type { RiskGateOptions } from "../src/module-options.js";
import { Risk } from "../src/risk.js";

/** The contract's plans as applications of Nest on Express. */
export const expressHarness: AdapterHarness = harness("Nest 11 on Express", (plan) => {
  const server = express();
  server.set("trust proxy", plan.trustEverybody);
  for (const { path, before, parserFirst } of plan.webhooks) {
    if (before) {
      server.use(path, (request, _response, next) => {
        before(request);
        next();
      });
    }
    if (parserFirst) server.use(path, express.json());
  }
  return new ExpressAdapter(server);
});

/** The contract's plans as applications of Nest on Fastify. */
export const fastifyHarness: AdapterHarness = harness("Nest 11 on Fastify", (plan) => {
  const adapter = new FastifyAdapter({
    trustProxy: plan.trustEverybody,
    logger: { level: "warn", stream: { write: plan.log } },
    forceCloseConnections: true,
  });
  const before = new Map(plan.webhooks.map((webhook) => [webhook.path, webhook.before]));
  adapter.getInstance().addHook("onRequest", (request, _reply, next) => {
    before.get(request.url)?.(request.raw);
    next();
  });
  // Nest's own parser leaves `email[x]` a name as any other.
  adapter.getInstance().addHook("preValidation", (request, _reply, next) => {
    const isForm = request.headers["content-type"]?.startsWith(FORM_TYPE);
    if (isForm) request.body = nested(request.body as Record<string, unknown>);
    next();
  });
  return adapter;
});

const FORM_TYPE = "application/x-www-form-urlencoded";

/** Fields of a form in which a name with brackets is an object or a list. */
function nested(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => {
    const [, outer, inner] = /^([^[]+)\[(.*)\]$/.exec(name) ?? [];
    return outer === undefined ? [name, value] : [outer, inner ? { [inner]: value } : [value]];
  });
  return Object.fromEntries(entries);
}

function harness(name: string, adapt: (plan: AppPlan) => AbstractHttpAdapter): AdapterHarness {
  return {
    name,
    floodRequests: 64,
    lifeRequests: 500,
    async serve(plan) {
      const module = {
        module: Root,
        imports: [
          RiskGateModule.forRoot({ lookup: createFakeLookup() }),
          ...plan.webhooks.map(({ path, options }) =>
            RiskGateWebhookModule.forRoot({ path, ...options }),
          ),
        ],
        controllers: [
          ...plan.gates.map(gateController),
          ...plan.logins.map(loginController),
          ...plan.siblings.map(echoController),
        ],
      };
      const app = await NestFactory.create(module, adapt(plan), {
        logger: loggerTo(plan.log),
        abortOnError: false,
        forceCloseConnections: true,
      });
      try {
        await app.listen(0, plan.host);
      } catch (error) {
        await app.close();
        throw error;
      }
      const { port } = app.getHttpServer().address() as AddressInfo;
      return { port, close: async () => app.close() };
    },
  };
}

@Module({})
class Root {}

function gateController({ path, options, twice, handler, respond }: GatePlan): Type {
  const gate = () => RiskGate(mapped(options));

  @Controller(path)
  @(twice ? gate() : () => {})
  class GateController {
    @Post()
    @HttpCode(200)
    @gate()
    async signUp(
      @Risk() decision: Decision,
      @Res({ passthrough: true }) response: CookieResponse,
    ): Promise<object> {
      handler(decision);
      await respond?.(response);
      return { passed: true };
    }
  }
  return GateController;
}

function loginController({ path, options, twice, handler }: LoginPlan): Type {
  const { account, success, ...rest } = options;
  const watch = () =>
    LoginWatch({
      ...rest,
      ...(account && {
        account: typeof account === "string" ? account : (context) => account(bodyOf(context)),
      }),
      ...(success && { success: (context) => success(responseOf(context).statusCode) }),
    });

  @Controller(path)
  @(twice ? watch() : () => {})
  class LoginController {
    @Post()
    @watch()
    async logIn(@Res({ passthrough: true }) response: Answerable): Promise<object> {
      try {
        response.status(await handler());
      } catch (error) {
        throw exceptionFor(error);
      }
      return {};
    }
  }
  return LoginController;
}

/** An error with a status as Nest has it; since version 12 it knows no other. */
function exceptionFor(error: unknown): unknown {
  const { status, message } = error as { status?: number; message: string };
  return status === undefined ? error : new HttpException(message, status);
}

function echoController(path: string): Type {
  @Controller(path)
  class EchoController {
    @Post()
    @HttpCode(200)
    echo(@Body() body: unknown): unknown {
      return body;
    }
  }
  return EchoController;
}

/** What the responses of both frameworks have in common. */
interface Answerable {
  readonly statusCode: number;
  readonly raw?: ServerResponse;
  status(status: number): { send(text: string): unknown };
}

const responseOf = (context: HookArgs[0]): Answerable =>
  context.switchToHttp().getResponse<Answerable>();

const bodyOf = (context: HookArgs[0]): unknown =>
  context.switchToHttp().getRequest<{ body: unknown }>().body;

function mapped(options: GatePlanOptions): RiskGateOptions {
  const { onReject, onChallenge, verifyChallenge, ...rest } = options;
  const answerTo =
    (context: HookArgs[0]): WriteAnswer =>
    (status, text) =>
      void responseOf(context).status(status).send(text);
  const rawOf = (context: HookArgs[0]): ServerResponse =>
    responseOf(context).raw ?? context.switchToHttp().getResponse<ServerResponse>();
  return {
    ...rest,
    ...(onReject && {
      onReject: (decision, context) => onReject(decision, answerTo(context), rawOf(context)),
    }),
    ...(onChallenge && {
      onChallenge: (decision, challenge, context) =>
        onChallenge(decision, challenge, answerTo(context), rawOf(context)),
    }),
    ...(verifyChallenge && { verifyChallenge: (context) => verifyChallenge(bodyOf(context)) }),
  };
}

function loggerTo(write: (line: string) => void): LoggerService {
  const tell = (message: unknown): void => {
    write(message instanceof Error ? String(message.stack) : String(message));
  };
  return { log() {}, warn: tell, error: tell, fatal: tell };
}
