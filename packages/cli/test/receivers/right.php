<?php
// A receiver of webhooks for the built-in server of PHP. The secret is in RECEIVER_SECRET.

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_PAYLOADS = 1000;

function answer(int $status): never
{
    http_response_code($status);
    exit;
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    header('Allow: POST');
    answer(405);
}
$type = strtolower(trim(explode(';', $_SERVER['CONTENT_TYPE'] ?? '')[0]));
if ($type !== 'application/json' || ($_SERVER['HTTP_CONTENT_ENCODING'] ?? 'identity') !== 'identity') {
    answer(415);
}

// One byte more tells a body that is too large.
$body = file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
if (strlen($body) > MAX_BYTES) {
    answer(413);
}
$given = trim($_SERVER['HTTP_X_SERVICE_INTEGRITY'] ?? '', " \t");
$expected = hash_hmac('sha256', $body, getenv('RECEIVER_SECRET'));
if (preg_match('/^[0-9a-f]{64}\z/', $given) !== 1 || !hash_equals($expected, $given)) {
    answer(401);
}

try {
    $text = str_starts_with($body, "\u{feff}") ? substr($body, 3) : $body;
    $payloads = json_decode($text, false, 512, JSON_THROW_ON_ERROR);
} catch (JsonException) {
    answer(400);
}
if (!is_array($payloads) || count($payloads) > MAX_PAYLOADS) {
    answer(400);
}
foreach ($payloads as $payload) {
    // An application would look at $payload->service_payload_type here.
}
answer(204);
