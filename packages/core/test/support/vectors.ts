/** A body, its secret and the signature that belongs to both. */
export interface Vector {
  readonly id: string;
  readonly secret: string;
  readonly body: Buffer;
  readonly signature: string;
}

/** The secret of most vectors. */
export const SECRET = "hook-secret-1";

const TEST = '[{"service_payload_type":"test"}]';

const ROWS: readonly (readonly [secret: string, body: string | Buffer, signature: string])[] = [
  [SECRET, "[]", "78726a8df936989d9031862091a8d7122aa97dbafd57454243ca4e6af27adb6f"],
  [SECRET, "[ ]", "dbc21699f8bf17f86918f032adc54e22ec921fa954d0c68c73a6d342f2516121"],
  [SECRET, TEST, "b3a2ea2d8b4c0975a27724097d7d8d88cda8257dc945cdb0cb28770a4bb255c1"],
  [SECRET, `${TEST}\n`, "21b0813b4104435269a53cc9db18be858c927494ff9affbffb886f884b00b57a"],
  [
    SECRET,
    '[{"service_payload_type":"test","note":"h\u00e9llo \u2665 \u{1f512}"}]',
    "06df41b4c532c7a902b0e50c3213699a7b92c58e192b20b1e2406423164e5195",
  ],
  [
    SECRET,
    '[{"service_payload_type":"test","note":"h\\u00e9llo"}]',
    "b23507c8a1d27e00c065153831be782a90adeb6b4f5979b59c7b782bbdf3850d",
  ],
  [
    SECRET,
    Buffer.concat([Buffer.from("efbbbf", "hex"), Buffer.from(TEST)]),
    "99e64fe46471ab9749ddf822adaab7d5d91bdbc1fcf7f03727bcd97d6f5f89a2",
  ],
  [
    SECRET,
    Buffer.concat([
      Buffer.from('[{"service_payload_type":"test","note":"'),
      Buffer.from("c328", "hex"),
      Buffer.from('"}]'),
    ]),
    "952d8e8f46fe81f3ae6561e2a11c099d9a6e9a901b48a8bc0e5fff69eb9e4ff8",
  ],
  ["cl\u00e9-\u{1f511}", "[]", "143a52ec814c8d41eab03582a5b91e924e0b7e739c68a8ede8e91a341825475d"],
  [SECRET, "[\r\n]", "c6698f8f3bd70a9590ed98948f1dc1defd91bddefd00f6abf4cf0a52acf68961"],
  [
    SECRET,
    Buffer.from("5b005d", "hex"),
    "d9b04ef511623e3a595988f39a935bd729bd61c137c47e2945c381c673dff44b",
  ],
  [SECRET, "", "3693dba790330a9789dee3e02ee17b1d459f11991c99e248dd7e675dc6c6c3d3"],
  ["k".repeat(100), "[]", "bbe2f95e7f20c54d600dc8cfa57164ffcf220dbdd25bcdf4dc714f8913d61416"],
  ["", "[]", "83ce13bda6523334daa14f33d1fc2adc98ff8b57c4df5be5d2f58b1c2c78fa1e"],
];

/** Fixed signatures, V1 to V14; V8 is no valid UTF-8, and the secret of V14 is empty. */
export const VECTORS: readonly Vector[] = ROWS.map(([secret, body, signature], index) => ({
  id: `V${index + 1}`,
  secret,
  body: Buffer.from(body as string),
  signature,
}));

/** One of {@link VECTORS} by its id. */
export function vector(id: string): Vector {
  const found = VECTORS.find((row) => row.id === id);
  if (!found) throw new Error(`no vector ${id}`);
  return found;
}
