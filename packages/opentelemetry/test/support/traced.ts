import { type Attributes, context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { onTestFinished } from "vitest";
import { instrumentRiskgate } from "../../src/index.js";

/** Traces until the test ends: `run` runs work in a span, as an instrumented framework does. */
export function traced() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const stop = instrumentRiskgate({ tracerProvider: provider });
  onTestFinished(() => {
    stop();
    context.disable();
  });
  return {
    run: async (name: string, work: () => Promise<void>): Promise<void> => {
      const span = provider.getTracer("test").startSpan(name);
      await context.with(trace.setSpan(context.active(), span), work);
      span.end();
    },
    /** Name and attributes of each finished span. */
    spans: (): { readonly name: string; readonly attributes: Attributes }[] =>
      exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes })),
  };
}
