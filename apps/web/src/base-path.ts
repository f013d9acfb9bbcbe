/** What the page's paths begin with where its hub is mounted, such as `/askbox`; else empty. Each script lies one folder below. */
export const basePath = new URL(import.meta.url).pathname.replace(/\/[^/]+\/[^/]*$/, "");
