import { shorten } from '../printable.ts';
import { type XmlElement, xml } from '../xml.ts';
import type { Suite } from './suite.ts';

/*
 * The document satisfies both schemas that CI servers check: Jenkins' junit-10.xsd and the stricter
 * windyroad/JUnit-Schema, i.e. at most one child in a testcase, `properties` first and `system-out` and
 * `system-err` last in a suite, no attributes on `testsuites`, a `timestamp` without zone or fraction.
 */

export function document(suites: readonly Suite[], startedAt: string | undefined): string {
  const root: XmlElement = {
    name: 'testsuites',
    attributes: {},
    content: suites.map((suite, id) => suiteXml(suite, id, startedAt)),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml(root)}`;
}

function suiteXml(suite: Suite, id: number, startedAt: string | undefined): XmlElement {
  const tally = (kind: string): number => suite.cases.filter((one) => one.result?.kind === kind).length;
  const time = new Date(startedAt ?? Number.NaN);
  return {
    name: 'testsuite',
    attributes: {
      name: suite.name,
      package: 'plugfest',
      id,
      timestamp: Number.isNaN(time.getTime()) ? undefined : time.toISOString().slice(0, 19),
      hostname: 'localhost',
      tests: suite.cases.length,
      failures: tally('failure'),
      errors: tally('error'),
      skipped: tally('skipped'),
      time: seconds(suite.cases.reduce((sum, one) => sum + one.ms, 0)),
    },
    content: [
      {
        name: 'properties',
        attributes: {},
        content: suite.properties.map(([name, value]) => ({
          name: 'property',
          attributes: { name, value: shorten(value, 4000) },
        })),
      },
      ...suite.cases.map(
        ({ name, className, ms, result }): XmlElement => ({
          name: 'testcase',
          attributes: { name, classname: className, time: seconds(ms) },
          content: result
            ? [
                {
                  name: result.kind,
                  // Where a test was skipped, windyroad's schema allows no type; the message starts with it.
                  attributes: {
                    type: result.kind === 'skipped' ? undefined : result.type,
                    message: result.message,
                  },
                  content: result.text ?? '',
                },
              ]
            : [],
        }),
      ),
      { name: 'system-out', attributes: {}, content: suite.out.join('\n') },
      { name: 'system-err', attributes: {} },
    ],
  };
}

const seconds = (ms: number): string => (Number.isFinite(ms) && ms > 0 ? ms / 1000 : 0).toFixed(3);
