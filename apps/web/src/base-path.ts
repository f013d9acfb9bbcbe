/** The prefix of the page's paths if its hub is mounted, such as `/askbox`; otherwise empty. Each script is one folder below it. */
export const basePath = new URL(import.meta.url).pathname.replace(/\/[^/]+\/[^/]*$/, "");
