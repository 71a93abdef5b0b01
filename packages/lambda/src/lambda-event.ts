/**
 * What is read of an event: those of API Gateway (payload formats 1.0 and 2.0), function URLs and
 * Application Load Balancers all fit.
 */
export interface LambdaEvent {
  readonly httpMethod?: string | undefined;
  readonly path?: string | undefined;
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?:
    Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  readonly cookies?: readonly string[] | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext: {
    readonly elb?: unknown;
    readonly http?: { readonly method: string; readonly sourceIp: string } | undefined;
    readonly identity?: { readonly sourceIp: string } | undefined;
    readonly routeKey?: string | undefined;
    readonly resourcePath?: string | undefined;
  };
}

/** Part of the context of an invocation that is used. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** An answer in the form that the sender of the event reads. */
export interface LambdaResult {
  statusCode: number;
  statusDescription?: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
  body: string;
  isBase64Encoded: boolean;
}
