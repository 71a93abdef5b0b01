import type {
  ALBEvent,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  LambdaFunctionURLEvent,
} from "aws-lambda";

/** The request of a test. */
export interface Sent {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const SOURCE = "203.0.113.7";

/** An event of a REST API, payload format 1.0. */
export function restEvent({ path, headers, body }: Sent): APIGatewayProxyEvent {
  const forwarded = { ...headers, "X-Forwarded-For": `${SOURCE}, 198.51.100.9` };
  const identity = {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: SOURCE,
    user: null,
    userAgent: "test",
    userArn: null,
  };
  return {
    resource: path,
    path,
    httpMethod: "POST",
    headers: forwarded,
    multiValueHeaders: Object.fromEntries(
      Object.entries(forwarded).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      accountId: "123456789012",
      apiId: "api",
      authorizer: null,
      httpMethod: "POST",
      identity,
      path,
      protocol: "HTTP/1.1",
      requestId: "request",
      requestTimeEpoch: 0,
      resourceId: "resource",
      resourcePath: path,
      stage: "prod",
    },
    body: body.toString(),
    isBase64Encoded: false,
  };
}

/** An event of an HTTP API, payload format 2.0. */
export function httpEvent({ path, headers, body }: Sent): APIGatewayProxyEventV2 {
  return {
    version: "2.0",
    routeKey: `POST ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: { ...headers, "x-forwarded-for": SOURCE },
    requestContext: {
      accountId: "123456789012",
      apiId: "api",
      domainName: "api.example",
      domainPrefix: "api",
      http: { method: "POST", path, protocol: "HTTP/1.1", sourceIp: SOURCE, userAgent: "test" },
      requestId: "request",
      routeKey: `POST ${path}`,
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: 0,
    },
    body: body.toString("base64"),
    isBase64Encoded: true,
  };
}

/** An event of a function URL. */
export function urlEvent(sent: Sent): LambdaFunctionURLEvent {
  const event = httpEvent(sent);
  return { ...event, routeKey: "$default", body: sent.body.toString(), isBase64Encoded: false };
}

/** An event of a load balancer that is set to multi-value headers. */
export function balancerEvent({ path, headers, body }: Sent): ALBEvent {
  const lines = Object.entries({ ...headers, "x-forwarded-for": `198.51.100.9, ${SOURCE}` });
  return {
    requestContext: { elb: { targetGroupArn: "arn:aws:elasticloadbalancing:target-group" } },
    httpMethod: "POST",
    path,
    multiValueHeaders: Object.fromEntries(lines.map(([name, value]) => [name, [value]])),
    body: body.toString("base64"),
    isBase64Encoded: true,
  };
}
