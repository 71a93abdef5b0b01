/** The short form: less of everything, to see that it runs. Processes started here are told too. */
export const quick = process.argv.includes("--quick");
