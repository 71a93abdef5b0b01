import { createRiskClient, riskProxy } from "@riskgate/next";
import type { NextRequest } from "next/server.js";

const lookup = createRiskClient({
  baseUrl: process.env["RISKGATE_BASE_URL"] ?? "https://risk.example.com",
  apiKey: process.env["RISKGATE_API_KEY"] ?? "",
});

export const proxy = riskProxy({
  lookup,
  clientAddress: (request: NextRequest) => request.headers.get("x-real-ip"),
});

export const config = { matcher: "/account/:path*" };
