// Texts of session policies, English.
export const enUS = {
  'sessionpolicies.title': 'Session length and networks',
  'sessionpolicies.lead_platform':
    'How long administrators stay signed in, and which networks they can sign in from.',
  'sessionpolicies.lead_own':
    'How long your members stay signed in, and which networks they can sign in from.',
  'sessionpolicies.lead_other':
    'How long members of this organization stay signed in, and which networks they can sign in from.',
  'sessionpolicies.idle': 'Sign out when idle',
  'sessionpolicies.idle_help': 'After this long without activity.',
  'sessionpolicies.idle_none': 'Never',
  'sessionpolicies.longest': 'Longest session',
  'sessionpolicies.longest_help': 'Then people sign in again.',
  'sessionpolicies.longest_none': '3 days',
  'sessionpolicies.minutes_one': '{{count}} minute',
  'sessionpolicies.minutes': '{{count}} minutes',
  'sessionpolicies.hours_one': '{{count}} hour',
  'sessionpolicies.hours': '{{count}} hours',
  'sessionpolicies.networks': 'Allowed networks',
  'sessionpolicies.networks_help':
    'One IP address or network per line, such as 10.1.0.0/16. Leave empty to allow all. API keys have their own.',
  'sessionpolicies.own_address': 'Your address now: {{address}}',
  'sessionpolicies.own_covered': 'Your address now, {{address}}, is in {{network}}.',
  'sessionpolicies.add_own': 'Add my address',
  'sessionpolicies.save': 'Save session rules',
  'sessionpolicies.saved': 'Session length and networks saved.',
  'sessionpolicies.changed': 'Changed by {{by}} on {{date}}',
  'sessionpolicies.network_wrong':
    '“{{address}}” is neither an IP address nor a network such as 10.1.0.0/16.',
  'sessionpolicies.network_own': 'Include your own address, {{address}}, or you’ll lock yourself out.',
};
