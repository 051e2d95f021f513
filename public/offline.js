// The page that is shown while the console cannot be reached: the bill that this browser was asked to keep. Everything is set as text.
const add = (parent, name, text, className) => {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  parent.append(element);
  return element;
};

async function show() {
  const kept = await (await caches.open('offline-bill')).match('/offline-bill.json');
  if (!kept) return;
  const { language, title, number, total, facts, lines, keptAt } = await kept.json();
  const bill = document.getElementById('bill');
  bill.lang = language;
  add(bill, 'h1', title);
  add(bill, 'p', number, 'soft');
  add(bill, 'p', total, 'total');
  for (const fact of facts) add(bill, 'p', fact, 'soft');
  const table = add(bill, 'table', '');
  for (const [name, amount] of lines) {
    const row = add(table, 'tr', '');
    add(row, 'td', name);
    add(row, 'td', amount);
  }
  add(bill, 'p', keptAt, 'soft');
  bill.hidden = false;
}

document.getElementById('again').addEventListener('click', () => location.reload());
void show();
