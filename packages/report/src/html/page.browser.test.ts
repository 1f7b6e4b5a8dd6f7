import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyRun, hostileStrings, runMadeOf, sampleRun } from '../fixtures/sample-run.ts';
import { printable } from '../printable.ts';
import { renderPage } from './page.ts';

// Needs a Chromium; CHROMIUM names another one than Debian's.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const folder = mkdtempSync(join(tmpdir(), 'plugfest-report-'));
let browser: BrowserContext;
let page: Page;
/** What a page must never do: log, throw, open a dialog, ask the network for anything. */
let noise: string[];

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return pathToFileURL(join(folder, name)).href;
}

let turn = 0;
const sample = write('sample.html', renderPage(sampleRun()));
const hostile = write(
  'hostile.html',
  renderPage(runMadeOf(() => hostileStrings[turn++ % hostileStrings.length] ?? '')),
);
const empty = write('empty.html', renderPage(emptyRun()));
const streamCell = 'alpha~beta~JSONRPC~1.0~stream';

beforeAll(async () => {
  browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  page = await browser.newPage();
  noise = [];
  page.on('console', (message) => noise.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    noise.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => noise.push('dialog: could not be dismissed'));
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) noise.push(`request: ${request.url()}`);
  });
});

afterEach(async () => {
  await page.close();
});

/** After a click it opens when the browser tells of the new address. */
const drawerText = async (): Promise<string> => {
  const drawer = page.locator('#drawer', { hasText: /\S/ });
  return (await drawer.textContent()) ?? '';
};

describe('the page of a run', () => {
  it('opens from disk in silence', async () => {
    await page.goto(sample);
    expect(await page.title()).toBe('Fail · Three agents, both directions');
    expect(await page.locator('a.pairing').count()).toBe(6);
    expect(noise).toEqual([]);
  });

  it('executes nothing that came from the wire, in no cell and no exchange', async () => {
    await page.goto(hostile);
    const ids = await page.evaluate(() => {
      const data: { cells: { id: string }[]; exchanges: { id: string }[] } = JSON.parse(
        document.getElementById('data')?.textContent ?? '',
      );
      return [
        ...data.cells.map(({ id }) => `#cell=${encodeURIComponent(id)}`),
        ...data.exchanges.slice(0, 60).map(({ id }) => `#exchange=${encodeURIComponent(id)}`),
      ];
    });
    expect(ids.length).toBeGreaterThan(100);
    for (const id of ids) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, id);
      await page.waitForFunction(() => document.querySelector('dialog[open]') !== null);
    }
    expect(await page.locator('img, iframe, object, embed, form, input, link').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('[onclick], [onerror], [onfocus], [onmouseover], [autofocus]').count()).toBe(0);
    expect(noise).toEqual([]);
  });

  it.each(
    hostileStrings.filter((text) => text.trim() !== '' && text.length < 200).map((text) => [text] as const),
  )('shows %j as the text that it is', async (text) => {
    await page.goto(write('one.html', renderPage(runMadeOf(() => text))));
    const shown = await page.locator('.cause .what').first().textContent();
    expect(shown).toBe(printable(text));
    await page.locator('.causes a').first().click();
    expect(await page.locator('.finding p').first().textContent()).toBe(printable(text));
    expect(noise).toEqual([]);
  });

  it('has a policy that stops scripts which are not ours', async () => {
    await page.goto(sample);
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
      const image = document.createElement('img');
      image.setAttribute('onerror', 'window.intruder = true');
      image.src = 'data:,';
      document.body.append(image);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return 'intruder' in window;
    });
    expect(ran).toBe(false);
    expect(noise.length).toBeGreaterThan(0);
  });
});

describe('the drawer', () => {
  it('opens from the matrix on the worst cell, and puts its permalink into the address', async () => {
    await page.goto(sample);
    await page.locator('a.pairing').nth(1).click();
    expect(decodeURIComponent(new URL(page.url()).hash)).toMatch(/^#cell=.*stream$|^#exchange=/);
    expect(await drawerText()).toContain('An artifact update follows the terminal status');
  });

  it('opens from a permalink and marks the bytes of the finding', async () => {
    await page.goto(`${sample}#cell=${encodeURIComponent(streamCell)}`);
    const marked = (await page.locator('#bytes mark').allTextContents()).join('');
    expect(JSON.parse(marked)).toEqual({
      artifactId: 'answer',
      parts: [{ text: 'Two rooms left, from 89 EUR a night.' }],
    });
    expect(await page.locator('svg.lanes text.name').allTextContents()).toEqual(['alpha', 'beta']);
    expect(await page.locator('svg.lanes .arrow.bad').count()).toBe(2);
    expect(noise).toEqual([]);
  });

  it('names the command that runs the cell again, and keeps this run', async () => {
    await page.goto(`${sample}#cell=${encodeURIComponent(streamCell)}`);
    expect(await page.locator('#drawer pre.command').textContent()).toBe(
      `plugfest run labs/three-agents.yaml --seed 7 --out plugfest-out/again --only '${streamCell}'`,
    );
  });

  it('keeps the text of each cell of a wide matrix within its border', async () => {
    const run = sampleRun();
    const names = ['jay', 'pine', 'gull', 'oak', 'rowan', 'wren', 'moss', 'gnat'];
    const cells = names.flatMap((server) =>
      run.cells.slice(0, 14).map((cell) => ({ ...cell, server, outcome: 'unsupported' as const })),
    );
    const wide = write('wide.html', renderPage({ ...run, cells: [...run.cells, ...cells] }));
    await page.goto(wide);
    const beyond = await page.evaluate(
      () =>
        [...document.querySelectorAll('.compact a.pairing')].filter(
          (pairing) => pairing.scrollWidth > pairing.clientWidth,
        ).length,
    );
    expect(beyond).toBe(0);
  });

  it('adds white space only, and shows the bytes as on the wire when asked', async () => {
    await page.goto(`${sample}#cell=${encodeURIComponent(streamCell)}`);
    const response = page.locator('#bytes pre').nth(1);
    const formatted = (await response.textContent()) ?? '';
    await page.getByRole('button', { name: 'as on the wire' }).click();
    const raw = (await response.textContent()) ?? '';
    const exchange = sampleRun().exchanges.find((one) => one.label === 'SendStreamingMessage');
    expect(raw.trimEnd()).toBe(
      printable(`${exchange?.response?.head}\n\n${exchange?.response?.body}`).trimEnd(),
    );
    expect(formatted.replace(/\s/g, '')).toBe(raw.replace(/\s/g, ''));
  });

  it('opens the cell of an exchange from a cause', async () => {
    await page.goto(sample);
    await page.locator('.cause a[href="#exchange=x02701"]').click();
    expect(await page.locator('#bytes h3').textContent()).toContain('x02701');
    expect((await page.locator('#bytes mark').allTextContents()).join('')).toBe('[]');
  });

  it('draws webhooks dashed and lost answers as lost', async () => {
    await page.goto(`${sample}#cell=${encodeURIComponent('beta~alpha~JSONRPC~1.0~push-auth')}`);
    expect(await page.locator('svg.lanes .webhook').count()).toBe(4);
    await page.goto(`${sample}#cell=${encodeURIComponent('alpha~gamma~JSONRPC~1.0~delegate')}`);
    expect(await page.locator('svg.lanes .arrow.bad.reply text').last().textContent()).toContain('timeout');
    expect(await page.locator('svg.lanes text.name').allTextContents()).toEqual([
      'alpha',
      'gamma',
      'plugfest',
    ]);
  });

  it('works from the keyboard and gives the focus back', async () => {
    await page.goto(sample);
    await page.locator('a.pairing').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    expect(await page.evaluate(() => document.activeElement?.classList.contains('pairing'))).toBe(true);
    expect(new URL(page.url()).hash).toBe('');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
  });

  it('says so where a permalink names nothing', async () => {
    for (const hash of [
      '#cell=gone',
      '#exchange=%E0%A4%A',
      '#cell=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
    ]) {
      await page.goto('about:blank');
      await page.goto(`${sample}${hash}`);
      expect(await drawerText()).toContain('This page has no such');
    }
    expect(noise).toEqual([]);
  });

  it('says so where a cell has no traffic', async () => {
    await page.goto(`${sample}#cell=${encodeURIComponent('gamma~alpha~JSONRPC~0.3~push')}`);
    const text = await drawerText();
    expect(text).toContain('The run was interrupted before this cell.');
    expect(text).toContain('No exchange was recorded here.');
  });
});

describe('the rules', () => {
  it('show first what is not clean, and each status when asked', async () => {
    await page.goto(sample);
    const rows = page.locator('#rule-table tbody tr:visible');
    expect(await rows.count()).toBe(6);
    await page.getByRole('button', { name: /^not exercised/ }).click();
    expect(await rows.count()).toBe(29);
    await page.getByRole('button', { name: /^all/ }).click();
    expect(await rows.count()).toBe(96);
  });
});

describe('reading conditions', () => {
  it('shows verdict, matrix, causes and all rules without JavaScript', async () => {
    const client = await browser.newCDPSession(page);
    await client.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.goto(sample);
    // biome-ignore lint/performance/useDomNodeTextContent: what a reader sees, not what the scripts hold
    const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('2 of 81 cells failed and 1 timed out');
    expect(text).toContain('13/14');
    expect(text).toContain('Publish the last artifact before the terminal status');
    expect(text).toContain('need JavaScript');
    expect(await page.locator('#rule-table tbody tr:visible').count()).toBe(96);
    expect(await page.locator('.filters').isVisible()).toBe(false);
  });

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [420, 'light'],
  ] as const)('fits %i pixels in %s', async (width, colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    for (const url of [sample, hostile, empty, `${sample}#cell=${encodeURIComponent(streamCell)}`]) {
      await page.goto('about:blank');
      await page.goto(url);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    }
  });

  it.each(['light', 'dark'] as const)('has contrast enough in %s (WCAG 2.2, 1.4.3)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(sample);
    const worst = await page.evaluate(() => {
      const parse = (text: string): number[] => (text.match(/[\d.]+/g) ?? []).map(Number);
      const luminance = (rgb: number[]): number => {
        const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
          const value = channel / 255;
          return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (node: Element | null): number[] => {
        for (let at = node; at; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor);
          if (colour.length === 3 || (colour[3] ?? 0) > 0) return colour.slice(0, 3);
        }
        return [255, 255, 255];
      };
      let lowest = { ratio: 99, text: '' };
      for (const node of document.querySelectorAll('body *')) {
        const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent?.trim());
        if (!own || !(node as HTMLElement).checkVisibility?.() || node.closest('svg, script')) continue;
        const [a, b] = [luminance(parse(getComputedStyle(node).color).slice(0, 3)), luminance(ground(node))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < lowest.ratio)
          lowest = { ratio, text: `${node.className} ${node.textContent?.slice(0, 40)}` };
      }
      return lowest;
    });
    expect(worst.ratio, worst.text).toBeGreaterThanOrEqual(4.5);
  });

  it('prints without navigation', async () => {
    await page.goto(sample);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav.sections').isVisible()).toBe(false);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});
