// Push's texts in English.
export const enUS = {
  'push.not_found': 'This browser doesn’t exist. It may have been removed.',
  'push.too_many': 'You can register at most {{count}} browsers. Remove those you no longer use first.',
  'push.endpoint_refused':
    'This push address can’t be used: it must be an https address on the public internet. Turn push on again.',
  'push.keys_wrong': 'The keys provided by the browser aren’t valid. Turn push off and on again.',
  'push.title': 'Browser push',
  'push.lead': 'Notifications reach your device even while no page of the console is open.',
  'push.explain':
    'Your browser will ask whether to allow notifications. What is pushed follows the preferences on this page, only this browser can decrypt it, and you can turn it off at any time.',
  'push.turn_on': 'Turn push on in this browser',
  'push.turn_off': 'Turn off',
  'push.turned_on': 'Push is on in this browser.',
  'push.turned_off': 'Push is off in this browser.',
  'push.is_on': 'Push is on in this browser.',
  'push.failed': 'Push couldn’t be turned on: {{reason}}. Check the network connection and try again.',
  'push.denied': 'Your browser blocks notifications from this site.',
  'push.allow_chromium':
    'Press the site settings icon left of the address, set Notifications to Allow, and reload the page.',
  'push.allow_firefox':
    'Press the permissions icon left of the address, clear the block of Send notifications, and reload the page.',
  'push.allow_safari':
    'Open Safari Settings → Websites → Notifications, set this site to Allow, and reload the page.',
  'push.allow_other': 'Allow notifications in your browser’s site settings, and reload the page.',
  'push.hindrance_insecure': 'Push needs https. Open the console by its https address.',
  'push.hindrance_install':
    'On iPhone and iPad, first install the console with Share → Add to Home Screen, then open it from there and set up push.',
  'push.hindrance_unsupported':
    'This browser doesn’t support push. Use a recent Chrome, Edge, Firefox or Safari.',
  'push.devices': 'Registered browsers',
  'push.this_device': 'this one',
  'push.since': 'Registered {{when}}',
  'push.last': 'Last delivered {{when}}',
  'push.last_failed': 'The last one wasn’t delivered: {{reason}}',
  'push.remove': 'Remove',
  'push.remove_named': 'Remove {{device}}',
  'push.removed': 'Browser removed.',
} as const;
