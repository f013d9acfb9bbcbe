const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // A page draws its favicon with the count on it.
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const unused = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
];

/** Sent with the page's files, over what every response has: nothing inline, nothing from elsewhere, no power that the page does not use. */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-security-policy": policy.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": unused.map((feature) => `${feature}=()`).join(", "),
});
