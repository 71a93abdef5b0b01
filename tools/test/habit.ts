/** A habit of wording that a native technical writer does not have. */
export interface Habit {
  readonly name: string;
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly rewrite: string;
}

const BE = "(?:is|are|was|were|be|been)";

/** Patterns to look for in prose; each has an example in `prose.test.ts`. */
export const HABITS: readonly Habit[] = [
  {
    name: "is no",
    pattern: new RegExp(
      `\\b${BE} (?:no|none)\\b(?! (?:longer|more|less|later|fewer|different)\\b)`,
      "gi",
    ),
    rewrite: 'write "is not an address", "isn\'t one", "does not exist"',
  },
  {
    name: "who does",
    pattern:
      /(?:^|[.:;] |\* |> |\/\/ )(?:Who|Whoever|Whatever) (?!is this\b)[a-z]+\b(?![^.\n]*\?)/gm,
    rewrite: 'name the subject: "Requests that do X are ...", "If you do X, ..."',
  },
  {
    name: "where for if",
    pattern:
      /,? where (?:an?|the|it|they|you|there|that|one|none|no|nothing) [^.?\n]{0,60}?\b(?:is|are|was|were|has|have|can|do|does|gives?|names?|needs?|wants?)\b/gi,
    rewrite: 'write "if" or "when", with the condition first',
  },
  {
    name: "of its own",
    pattern: /\bof (?:its|their|one's|your|our|my) own\b/gi,
    rewrite: 'write "its own", "separate", "automatically"',
  },
  {
    name: "for what",
    pattern: /\b(?:for|from|with|by|of|to|in|on|beside|after) what\b/gi,
    rewrite: "name the thing",
  },
  {
    name: "is told",
    pattern: new RegExp(
      `\\b${BE} told\\b|\\b(?:tells?|says) whether\\b|\\btells? (?:of|no|an?|the|what)\\b`,
      "gi",
    ),
    rewrite: 'write "receives", "returns true if", "reports whether"',
  },
  {
    name: "stands, lies",
    pattern:
      /\b(?:stands?|stood|lies?|lay) (?:in|on|at|beside|behind|before|above|below|there|here|for the)\b|\b(?:is|are) (?:had|taken in|left)\b(?! (?:out|off|to|alone|open|unread))/gi,
    rewrite: 'write "is", "is stored", "is available", "is accepted", "remains"',
  },
  {
    name: "bears, hears, lets go",
    pattern: /\b(?:hears?|bears?|lets? go|gives? (?:way|up)|goes? on|takes? up)\b/gi,
    rewrite: 'write "handles", "receives", "releases", "stops", "continues", "starts"',
  },
  {
    name: "What the X needs",
    pattern: /\/\*\* What (?:the|an?|is|one|to|comes?|it|each|was|has|of) /g,
    rewrite: 'write "Dependencies of X" or delete the comment',
  },
  {
    name: "anything but",
    pattern: /\b(?:anything|nothing|none|everything|all) but\b/gi,
    rewrite: 'write "only", "any other value"',
  },
  {
    name: "such a",
    pattern: /\bsuch an?\b|\bsuch as (?:it|they|those)\b/gi,
    rewrite: 'write "this", "as created by X"',
  },
  {
    name: "a metaphor",
    pattern:
      /\b(?:rooms?|neighbou?rs?|errand|desk|lane|owed?|owes|owing|judgements?|stand-in|in (?:a|its|his) turn)\b/gi,
    rewrite:
      'use the field\'s word: "folder", "next to", "pending", "evaluate", "fallback", "lock"',
  },
];

/** A place in a text that has a habit. */
export interface Place {
  readonly habit: Habit;
  readonly line: number;
  /** The line, without its indent. */
  readonly text: string;
}

/** Finds the places that have a habit, in the order of the habits. */
export function habitsIn(prose: string): Place[] {
  const lines = prose.split("\n");
  return HABITS.flatMap((habit) =>
    [...prose.matchAll(habit.pattern)].map(({ index, 0: found }) => {
      // A match may begin with the end of the line before.
      const start = index + found.length - found.trimStart().length;
      const line = prose.slice(0, start).split("\n").length;
      return { habit, line, text: (lines[line - 1] ?? "").trim() };
    }),
  );
}
