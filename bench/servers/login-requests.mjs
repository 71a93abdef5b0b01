/** The visitors who log in. */
export const emails = Array.from({ length: 1000 }, (_, n) => `visitor.${n}@example.com`);

/** A complete request for each of them. */
export const requests = emails.map((email) => {
  const body = JSON.stringify({ email, password: "correct horse battery staple" });
  return Buffer.from(
    `POST /login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
});
