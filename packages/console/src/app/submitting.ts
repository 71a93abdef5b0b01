/** Handles the submission of a form, instead of the browser. */
export function submitting(act: () => void): (event: { preventDefault(): void }) => void {
  return (event) => {
    event.preventDefault();
    act();
  };
}
