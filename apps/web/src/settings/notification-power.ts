import { useEffect, useState } from "react";

/** What the browser says of notifications; `insecure` where it offers them to secure origins alone. */
export type NotificationPower = NotificationPermission | "insecure" | "missing";

function present(): NotificationPower {
  if ("Notification" in globalThis) return Notification.permission;
  return isSecureContext ? "missing" : "insecure";
}

/** The permission as it now is: a person may change it in the browser's own settings at any time. */
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
      // Some browsers cannot be asked; they are looked at again when the page is.
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
