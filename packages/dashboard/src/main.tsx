import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadFirstPage, queryClient, router } from "./router.tsx";
import "./styles.css";

// Lines that a fallback font wraps differently would move the page when the font arrives. Without it, the fallback does.
document.fonts.load('12px "JetBrains Mono Variable"').catch(() => []);

loadFirstPage();

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
