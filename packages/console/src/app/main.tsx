import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { Console } from "./console.js";
import { Toasts } from "./parts/toasts.js";
import { applyTheme, storedTheme } from "./theme.js";

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 1_000 }, mutations: { retry: false } },
});

applyTheme(storedTheme());

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Router base="/console">
        <Toasts>
          <Console />
        </Toasts>
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
