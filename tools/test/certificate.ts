import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A self-signed certificate with its key, both as PEM text. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Creates a self-signed certificate that is its own authority.
 *
 * @param ip Address in the certificate.
 */
export function makeCertificate(ip: string, notBefore: Date, notAfter: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from("riskgate test")))));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension(ALTERNATIVE_NAME, sequence(der(0x87, addressBytes(ip)))))),
  );
  const signature = sign("sha256", signed, privateKey);
  const certificate = sequence(signed, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  return { key: exportKey(privateKey), cert: pem(certificate) };
}

const ECDSA_SHA256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const COMMON_NAME = der(0x06, Buffer.from("550403", "hex"));
const ALTERNATIVE_NAME = der(0x06, Buffer.from("551d11", "hex"));

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, ...parts);
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, der(0x04, value));
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")));
}

function addressBytes(ip: string): Buffer {
  return Buffer.from(ip.split(".").map(Number));
}

function exportKey(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
