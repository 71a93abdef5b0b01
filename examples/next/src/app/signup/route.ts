import { createRiskClient, riskGate } from "@riskgate/next";
import type { NextRequest } from "next/server.js";

const lookup = createRiskClient({
  baseUrl: process.env["RISKGATE_BASE_URL"] ?? "https://risk.example.com",
  apiKey: process.env["RISKGATE_API_KEY"] ?? "",
});

/** The proxy in front of this server sets the header and replaces what a client sent. */
const clientAddress = (request: NextRequest) => request.headers.get("x-real-ip");

export const POST = riskGate({ lookup, clientAddress }, async (request, _context, decision) => {
  // The gate has read a copy of the body.
  const form: unknown = await request.json();
  return Response.json({ form, watched: decision?.outcome === "flag" }, { status: 201 });
});
