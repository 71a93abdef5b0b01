import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import { visible } from "../foreign-text.js";

const manager = Toast.createToastManager();

/** Shows the result of an action for a few seconds, wherever the reader is on the page. */
export function notify(text: string, tone: "good" | "bad" = "good"): void {
  manager.add({
    description: visible(text),
    type: tone,
    priority: tone === "bad" ? "high" : "low",
  });
}

/** The place where results appear. */
export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Toast.Provider toastManager={manager} timeout={6_000} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Shown(): ReactNode {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" aria-label="Result">
      <Toast.Content className="toast-content">
        {toast.type === "bad" ? (
          <CircleAlert size={16} className="bad" aria-hidden />
        ) : (
          <CircleCheck size={16} className="good" aria-hidden />
        )}
        <Toast.Description />
        <Toast.Close className="button quiet only-icon" aria-label="Close">
          <X size={15} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
