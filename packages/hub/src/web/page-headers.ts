const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The page draws a favicon with the number of questions.
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

/**
 * Sent with the page's files, in addition to the headers of every response: nothing inline, nothing from other origins, no browser features
 * that the page does not use.
 */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-security-policy": policy.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": unused.map((feature) => `${feature}=()`).join(", "),
});
