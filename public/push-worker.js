// Shows notifications that are pushed, also while no page of the console is open, and a page of its own when the console cannot be reached.
// Of a notification it knows what is in the message, which was encrypted for this browser alone. It keeps nothing by itself: what is shown
// offline was put away by the console's pages, because their reader asked for it.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** Pages come from the console as ever; only when it does not answer, and a page is kept for that, it is shown. */
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate')
    event.respondWith(
      fetch(event.request).catch(async (error) => {
        const kept = await caches.match('/offline.html', { ignoreVary: true });
        if (kept) return kept;
        throw error;
      }),
    );
  else if (/^\/offline\.(css|js)$/.test(new URL(event.request.url).pathname))
    event.respondWith(fetch(event.request).catch(() => caches.match(event.request, { ignoreVary: true })));
});

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
