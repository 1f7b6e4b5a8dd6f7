/** The buttons that show the rules of some statuses. */
export function startRuleFilters() {
  const buttons = [...document.querySelectorAll('.filters button')];
  /** @type {NodeListOf<HTMLTableRowElement>} */
  const rows = document.querySelectorAll('tr[data-status]');
  /** @param {Element} chosen */
  const choose = (chosen) => {
    const statuses = (chosen.getAttribute('data-statuses') ?? '').split(' ');
    for (const button of buttons) button.setAttribute('aria-pressed', String(button === chosen));
    for (const row of rows) row.hidden = !statuses.includes(row.getAttribute('data-status') ?? '');
  };
  for (const button of buttons) {
    button.addEventListener('click', () => choose(button));
    if (button.getAttribute('aria-pressed') === 'true') choose(button);
  }
}
