/**
 * Scores above this are flagged by default. Source: specification, Resources, guidance of
 * `risk_score`.
 */
export const FLAG_ABOVE = 40;

/** Scores above this are rejected by default. Source: the same. */
export const REJECT_ABOVE = 80;
