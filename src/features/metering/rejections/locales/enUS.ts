// Rejections' texts in English.
export const enUS = {
  'rejections.not_found': 'This rejected event does not exist.',
  'rejections.replayed_already': 'This event has been sent again already.',
  'rejections.incomplete': 'Only the beginning of this event was kept; it cannot be sent again as it came.',
  'rejections.too_long': 'An event sent from here has at most {{most}} characters.',

  'rejections.title': 'Rejected events',
  'rejections.lead':
    'Usage events that were refused. Mend them and send them again; nothing is counted until then.',
  'rejections.search': 'Search event, source, subscription',
  'rejections.reasons': 'Open by reason',
  'rejections.not_kept':
    '{{count}} more came while the list was full and could not be kept. Their senders were told why.',
  'rejections.own_notice': '{{count}} usage events were refused and are not counted yet.',
  'rejections.own_notice_one': '{{count}} usage event was refused and is not counted yet.',
  'rejections.own_see': 'See why',
  'rejections.empty': 'No rejected events',
  'rejections.empty_hint':
    'Every event that arrived was counted. What is refused appears here with its reason.',
  'rejections.export_csv': 'Export as CSV',
  'rejections.export_xlsx': 'Export as Excel',

  'rejections.column_lastReceivedAt': 'Last received',
  'rejections.column_firstReceivedAt': 'First received',
  'rejections.column_times': 'Times',
  'rejections.column_state': 'State',
  'rejections.column_code': 'Code',
  'rejections.column_reason': 'Reason',
  'rejections.column_source': 'Source',
  'rejections.column_eventId': 'Event',
  'rejections.column_type': 'Event type',
  'rejections.column_subject': 'Subscription',
  'rejections.column_organization': 'Organization',
  'rejections.column_key': 'API key',
  'rejections.column_raw': 'Event as it came',
  'rejections.state_open': 'Open',
  'rejections.state_replayed': 'Sent again',
  'rejections.state_dismissed': 'Dismissed',
  'rejections.no_id': 'Without id',

  'rejections.reason_event_malformed': 'No CloudEvent',
  'rejections.reason_subscription_unknown': 'Unknown subscription',
  'rejections.reason_sent_to_add_on': 'Sent to an add-on',
  'rejections.reason_subscription_not_running': 'Subscription not running',
  'rejections.reason_event_type_unknown': 'Wrong event type',
  'rejections.reason_time_in_future': 'Time ahead',
  'rejections.reason_value_no_decimal': 'Value is no number',
  'rejections.reason_value_inexact': 'Value may be rounded',
  'rejections.reason_value_too_large': 'Value too large',
  'rejections.reason_value_negative': 'Value below zero',
  'rejections.reason_only_adds': 'Own keys only add',
  'rejections.reason_property_too_long': 'Counted property too long',
  'rejections.reason_data_not_json': 'Data is no JSON',
  'rejections.reason_data_schema': 'Data does not match',
  'rejections.reason_conflict': 'Same id, other data',
  'rejections.reason_too_old': 'Too old',
  'rejections.reason_credit_used_up': 'Prepaid credit used up',
  'rejections.reason_void_unnamed': 'Correction names nothing',
  'rejections.reason_void_unknown': 'Correction of an unknown event',
  'rejections.reason_voided_already': 'Corrected already',
  'rejections.mend_event_malformed':
    'Add what is missing below (specversion "1.0", id, source, type) and send it again. Have the gateway mended.',
  'rejections.mend_subscription_unknown':
    'Make the subscription, or put its id into “subject”. Then all events of this reason can be sent again.',
  'rejections.mend_sent_to_add_on':
    'Put the number of the subscription that the add-on belongs to into “subject”, then send it again.',
  'rejections.mend_subscription_not_running':
    'Check the event’s “time” and when the subscription began, paused or ended.',
  'rejections.mend_event_type_unknown':
    'Put the type that the service’s meter counts into “type”, or use a service that counts this one.',
  'rejections.mend_time_in_future':
    'Set the gateway’s clock right. Once the moment has come, sending again is enough.',
  'rejections.mend_value_no_decimal': 'Put a decimal such as "12.5" into “data.value”.',
  'rejections.mend_value_inexact': 'Put “data.value” as a text, such as "12345678901234567.5".',
  'rejections.mend_value_too_large':
    'Keep “data.value” within 15 digits before the point: use a larger unit, or send several events.',
  'rejections.mend_value_negative': 'Put the level, which is not below 0.',
  'rejections.mend_only_adds':
    'Corrections, negative values and levels come by a key of the platform. Dismiss this one.',
  'rejections.mend_property_too_long': 'Shorten the property’s value, to an id for example.',
  'rejections.mend_data_not_json':
    'Put the data into “data” as a JSON object, with application/json or nothing as “datacontenttype”.',
  'rejections.mend_data_schema':
    'Mend the data as the service’s schema asks, or have the schema changed; then send again.',
  'rejections.mend_conflict':
    'Another event with this source and id was counted. Give this one a different “id”, or dismiss it.',
  'rejections.mend_credit_used_up':
    'Metering of this service stopped with its prepaid credit. Buy credit, or ask your provider for some, then send it again.',
  'rejections.mend_too_old': 'It is older than what is kept and cannot be counted any more. Dismiss it.',
  'rejections.mend_void_unnamed':
    'Name the event to take back in “data.id”, with its “data.source” when that is another one.',
  'rejections.mend_void_unknown': 'Send the event that it takes back first; then send this one again.',
  'rejections.mend_voided_already': 'Nothing is left to do. Dismiss it.',
  'rejections.mend': 'How to mend it',

  'rejections.event': 'Event (JSON)',
  'rejections.event_help': 'Change what is wrong. It may write what its API key may.',
  'rejections.no_json': 'This is no JSON: {{reason}}',
  'rejections.cut':
    'The event was too long to keep whole. Only its beginning is shown; it cannot be sent again.',
  'rejections.as_came': 'As it came',
  'rejections.repaired': 'What was sent instead',
  'rejections.reset': 'As it came',
  'rejections.replay': 'Send again',
  'rejections.replay_mended': 'Send mended event',
  'rejections.accepted': 'Accepted and counted.',
  'rejections.duplicate': 'It had been counted already; nothing was added.',
  'rejections.rejected_again': 'Rejected again: {{message}}',
  'rejections.replay_all': 'Send all {{count}} again',
  'rejections.replay_all_title': 'Send {{count}} events again?',
  'rejections.replay_all_title_one': 'Send {{count}} event again?',
  'rejections.replay_all_what':
    'Each goes the way it came. What is still wrong stays here with its reason; what is right is counted.',
  'rejections.replay_selected': 'Send again',
  'rejections.replay_done':
    '{{accepted}} accepted, {{duplicates}} counted before, {{rejected}} rejected again.',
  'rejections.replaying': 'Sending again',
  'rejections.replay_of': '{{done}} of {{count}}',
  'rejections.stop': 'Stop',
  'rejections.stopped': 'Stopped. What was sent stays counted; the rest can be sent any time.',
  'rejections.dismiss': 'Dismiss',
  'rejections.dismiss_all': 'Dismiss all {{count}}',
  'rejections.dismiss_title': 'Dismiss {{count}} events?',
  'rejections.dismiss_title_one': 'Dismiss {{count}} event?',
  'rejections.dismiss_what': 'They are not counted.',
  'rejections.dismiss_kept':
    'They stay under “Dismissed” until they are forgotten, and can still be sent again there.',
  'rejections.dismissed': 'Dismissed {{count}} events',
  'rejections.dismissed_one': 'Dismissed {{count}} event',
} as const;
