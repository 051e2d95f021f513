// Shows notifications that are pushed, also while no page of the console is open.
// It keeps nothing and fetches nothing: all it knows is in the message, which was encrypted for this browser alone.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** What was pushed; a message that cannot be read is shown as a plain call to look, as browsers want to see something. */
function readMessage(data) {
  try {
    const { title, body, link, tag } = data.json();
    return { title: String(title), body: String(body), link: typeof link === 'string' ? link : '/', tag: String(tag) };
  } catch {
    return { title: self.location.host, body: '', link: '/', tag: 'unreadable' };
  }
}

/** A page of this console, whatever the message says. */
function ownAddress(link) {
  const address = new URL(link, self.location.origin);
  return address.origin === self.location.origin ? address.href : self.location.origin;
}

self.addEventListener('push', (event) => {
  const { title, body, link, tag } = readMessage(event.data);
  // The same tag replaces what is shown already, without another sound.
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/favicon.svg', data: { link } }));
});

/** A page that shows it already comes forward; other pages are left alone: somebody may be typing there. */
async function openLink(link) {
  const address = ownAddress(link);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => page.url === address);
  return there ? there.focus() : self.clients.openWindow(address);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openLink(event.notification.data?.link ?? '/'));
});
