// The accessibility rules of axe on a page.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The success criteria of WCAG 2.2, levels A and AA, and what axe recommends besides. */
export const recommended = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Which rules are tried, all where neither says so, and in which part of the page. */
interface Scope {
  tags?: string[];
  rules?: string[];
  within?: string;
}

/** What breaks a rule: the rule and the elements. */
export async function violations(page: Page, { tags, rules, within }: Scope = {}) {
  // No page of ours has a frame of another origin. For those, axe would open another page after each run, and load itself
  // into that too.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (tags) axe.withTags(tags);
  if (rules) axe.withRules(rules);
  if (within) axe.include(within);
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
  }));
}
