/** What makes a gateway behave otherwise. */
export type Origin = {
  readonly kind: 'situation' | 'rule' | 'fault' | 'variant';
  /** Of a situation and of a rule its number, counted from 1. */
  readonly id: string;
  /** What it does, in words or as the rule. */
  readonly about: string;
};
