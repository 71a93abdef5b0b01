import type { ReactNode } from "react";

export function FeedAdvice(): ReactNode {
  return (
    <>
      Choose published lists with <code>riskgate feeds init</code>, which puts them into the
      directory <code>feeds</code>, and start the service with{" "}
      <code>riskgate serve --feeds-dir feeds</code>.
    </>
  );
}
