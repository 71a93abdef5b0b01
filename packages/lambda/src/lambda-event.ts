/**
 * The parts of an event that are read: compatible with API Gateway (payload formats 1.0 and 2.0),
 * function URLs and Application Load Balancers.
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

export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** A response in the format expected by the event's source. */
export interface LambdaResult {
  statusCode: number;
  statusDescription?: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
  body: string;
  isBase64Encoded: boolean;
}
