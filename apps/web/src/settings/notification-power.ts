import { useEffect, useState } from "react";

/** The browser's notification permission; `insecure` if it only offers them to secure origins. */
export type NotificationPower = NotificationPermission | "insecure" | "missing";

function present(): NotificationPower {
  if ("Notification" in globalThis) return Notification.permission;
  return isSecureContext ? "missing" : "insecure";
}

/** The current permission, which may change in the browser's own settings at any time. */
export function useNotificationPower(): NotificationPower {
  const [power, setPower] = useState(present);

  useEffect(() => {
    let status: PermissionStatus | undefined;
    let left = false;
    const update = () => setPower(present());
    navigator.permissions?.query({ name: "notifications" }).then(
      (found) => {
        if (left) return;
        status = found;
        found.addEventListener("change", update);
      },
      // Some browsers don't report changes; they are checked again when the page becomes visible.
      () => {},
    );
    addEventListener("focus", update);
    return () => {
      left = true;
      status?.removeEventListener("change", update);
      removeEventListener("focus", update);
    };
  }, []);
  return power;
}
