/** True for the short form, which only checks that everything runs. Child processes inherit it. */
export const quick = process.argv.includes("--quick");
