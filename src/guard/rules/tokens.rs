//! Secrets of known shape: their first bytes identify them anywhere. Lengths and bytes are those
//! their makers document.

use crate::guard::context;
use crate::guard::given::{alone, known, path, random};
use crate::guard::rule::rules;

rules! { TOKENS, Exact, reach 16384:

"private key" ["-----BEGIN " "---- BEGIN "] {one context::private_key}
    finds ["a\n«-----BEGIN RSA PRIVATE KEY-----\n<a64>\n<a64>\n-----END RSA PRIVATE KEY-----»\nb",
        "«-----BEGIN OPENSSH PRIVATE KEY-----\n<a64>\n<a64>\n-----END OPENSSH PRIVATE KEY-----»",
        "«-----BEGIN PGP PRIVATE KEY BLOCK-----\n<a64>\n<a64>\n-----END PGP PRIVATE KEY BLOCK-----»",
        "«-----BEGIN EC PRIVATE KEY-----\n<a64>\n»", "\"«-----BEGIN PRIVATE KEY-----\\n<a64>\\n-----END PRIVATE KEY-----»\\n\"",
        "«---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n<a64>\n---- END SSH2 ENCRYPTED PRIVATE KEY ----»",
        "«-----BEGIN OpenVPN Static key V1-----\n<h32>\n<h32>\n-----END OpenVPN Static key V1-----»"]
    leaves ["-----BEGIN PUBLIC KEY-----\n<a64>\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"];
"private key" ["Private-Lines: "] {one context::putty_key}
    finds ["«Private-Lines: 2\n<a64>\n<a64>\n»Private-MAC: <h40>"]
    leaves ["Private-Lines: 14 of them\nPrivate-MAC: none"];
"json web token" ["eyJ"] {before r"(?:\A|[^\w-])(?:[a-xzA-Z0-9_-]|y+[a-xzA-IK-Z0-9_-])*\z"
    r"[\w-]{14,}(?:\.eyJ[\w-]{7,}\.[\w-]{16,}|\.[\w-]*\.[\w-]{16,22}\.[\w-]+\.[\w-]{16,43})" known}
    finds ["cookie=«eyJ<a20>.eyJ<a40>.<a43>»;", "-«eyJ<a20>.eyJ<a40>.<a43>»", "«eyJ<a60>..<a16>.<a80>.<a22>»"]
    leaves ["eyJ in words, eyJhbGciOiJIUzI1NiJ9 alone"];

"aws access key" ["AKIA" "ASIA" "ABIA" "ACCA"] {r"[0-9A-Z]{16}" known}
    finds ["id «AKIA<u16>».", "run-«AKIA<u16>»-x"] leaves ["AKIAXXXXXXXXXXXXXXXX", "xAKIA<u16>", "AKIA<u20>"];
"bedrock key" ["ABSK"] {r"[[:alnum:]+/=]{100,400}" alone} finds ["«ABSK<a120>=»"];
"bedrock key" ["bedrock-api-key-"] {r"[[:alnum:]+/=]{100,}" known} finds ["«bedrock-api-key-<a100>»"];
"google api key" ["AIza"] {r"[\w-]{35}" known} finds ["?key=«AIza<a35>»&x"];
"google api key" ["AQ.Ab8RN6"] {r"[\w-]{30,100}" known} finds ["«AQ.Ab8RN6<a44>»"];
"google oauth secret" ["GOCSPX-"] {r"[\w-]{20,40}" known} finds ["«GOCSPX-<a28>»"];
"google oauth secret" ["ya29."] {r"[\w.-]{30,}" known} finds ["«ya29.<a60>»"];
"google refresh token" ["1//0"] {r"[\w-]{40,200}" alone} finds ["«1//0g<a60>»"];
"alibaba access key" ["LTAI"] {r"[[:alnum:]]{12,20}" alone} finds ["«LTAI<a20>»"];
"tencent access key" ["AKID"] {r"[[:alnum:]]{32}" alone} finds ["«AKID<a32>»"];
"github token" ["ghp_" "gho_" "ghu_" "ghs_" "ghr_"] {r"[[:alnum:]]{36,255}" known}
    finds ["token «ghp_<a36>»", "'«gho_<a36>»'", "«ghs_<a36>»", "«ghr_<a76>»", "my_«ghp_<a36>»", "\u{1b}[32m«ghp_<a36>»",
        "\\u001b[0;32m«ghp_<a36>»", "\\x1b[1m«ghp_<a36>»", "\\u2192«ghp_<a36>»", "     1→«ghp_<a36>»", "\\n-«ghp_<a36>»",
        "%3D«ghp_<a36>»", "\\t«ghp_<a36>»", "«ghp\\_<a36>»", "«ghp\\\\_<a36>»", "«ghp&#95;<a36>»", "<i>«&#x67;hp_<a36>»</i>"]
    leaves ["ghp_short and ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
"github token" ["github_pat_"] {r"\w{36,255}" known} finds ["line\\n«github_pat_<a22>_<a59>»"];
"gitlab token" ["glpat-" "gldt-" "glrt-" "glcbt-" "glptt-" "glft-" "glsoat-" "glimt-" "glagent-" "gloas-" "glffct-"]
    {r"[\w.-]{20,300}" known} finds ["a-«glpat-<a20>»", "«gloas-<h64>»", "«glffct-<a20>»"];
"gitlab token" ["GR1348941"] {r"[\w-]{20,50}" known} finds ["«GR1348941<a20>»"];
"atlassian token" ["ATATT3" "ATCTT3"] {r"[\w-]{60,400}" known} finds ["«ATCTT3<a180>»"];
"atlassian token" ["ATBB"] {r"[[:alnum:]]{32}" alone} finds ["«ATBB<a32>»"];
"slack token" ["xoxb-" "xoxp-" "xoxa-" "xoxc-" "xoxo-" "xoxr-" "xoxs-" "xoxe-" "xoxe.xoxp-" "xapp-"]
    {r"[\w-]{10,300}" random}
    finds ["«xoxb-123456789012-1234567890123-<a24>»", "«xoxc-123456789012-<h64>»"] leaves ["xoxb-your-token-goes-here"];
"slack token" ["xoxd-"] {r"[\w+/=%-]{40,250}" random} finds ["«xoxd-<a30>%2B<a30>»"];
"stripe key" ["sk_live_" "rk_live_" "pk_live_" "sk_test_" "rk_test_" "sk_org_live_" "sk_org_test_"]
    {r"[[:alnum:]]{16,255}" known} finds ["«sk_live_<a24>»", "«pk_live_<a24>»", "«sk_org_live_<a40>»"];
"stripe key" ["whsec_"] {r"[[:alnum:]+/=]{32,255}" known} finds ["«whsec_<a32>»"];
"paypal token" ["access_token$production$" "access_token$sandbox$"] {r"[\w$-]{49}" known}
    finds ["«access_token$production$<a16>$<h32>»"];
"paypal token" ["A21AA"] {r"[\w-]{70,150}" alone} finds ["«A21AA<a91>»"];
"square token" ["sq0atp-" "sq0csp-"] {r"[\w-]{22,60}" known} finds ["«sq0atp-<a22>»"];
"square token" ["EAAA"] {r"[\w-]{60}" alone} finds ["«EAAA<a60>»"];
"razorpay key" ["rzp_live_" "rzp_test_"] {r"[[:alnum:]]{14}" known} finds ["«rzp_live_<a14>»"];
"mollie key" ["live_"] {r"[[:alnum:]]{30}" alone} finds ["«live_<a30>»"]
    leaves ["live_stream_of_all_events_in_one_page2 test_live_x"];
"flutterwave key" ["FLWSECK-" "FLWSECK_TEST-"] {r"[\w-]{30,50}" known} finds ["«FLWSECK-<h32>-X»"];
"paddle key" ["pdl_live_apikey_" "pdl_sdbx_apikey_"] {r"\w{53}" known} finds ["«pdl_live_apikey_<a26>_<a22>_<a3>»"];
"shopify token" ["shpat_" "shpss_" "shpca_"] {r"[[:alnum:]]{32}" known} finds ["«shpat_<h32>»"];
"anthropic key" ["sk-ant-"] {r"[\w-]{20,300}" known} finds ["k_«sk-ant-api03-<a93>»", "«sk\\-ant\\-<a40>»"];
"openrouter key" ["sk-or-v1-"] {r"[0-9a-f]{40,64}" known} finds ["«sk-or-v1-<h64>»"];
"langfuse key" ["sk-lf-"] {r"[\w-]{36}" known} finds ["«sk-lf-<uuid>»"];
"openai key" ["sk-proj-" "sk-svcacct-" "sk-admin-" "sk-None-"] {r"[\w-]{20,300}" known}
    finds ["«sk-proj-<a48>»", "«sk-None-<a48>»"];
"openai key" ["sk-"] {r"[[:alnum:]]{20,255}" random} finds ["«sk-<a48>»"]
    leaves ["risk-assessment-of-the-task-management-12 sk-estimator-html-doc-link sk-container-id-1"];
"hugging face token" ["hf_"] {r"[[:alnum:]]{30,60}" known} finds ["«hf_<a34>»"];
"hugging face token" ["api_org_"] {r"[[:alnum:]]{34}" known} finds ["«api_org_<a34>»"];
"groq key" ["gsk_"] {r"[[:alnum:]]{40,64}" known} finds ["«gsk_<a52>»"];
"xai key" ["xai-"] {r"[[:alnum:]]{60,100}" known} finds ["«xai-<a80>»"];
"cerebras key" ["csk-"] {r"[[:alnum:]]{48}" random} finds ["«csk-<l48>»"];
"pinecone key" ["pcsk_"] {r"\w{50,80}" known} finds ["«pcsk_<a5>_<a63>»"];
"langsmith key" ["lsv2_pt_" "lsv2_sk_"] {r"\w{43}" known} finds ["«lsv2_pt_<h32>_<h10>»"];
"tavily key" ["tvly-"] {r"[\w-]{20,60}" random} finds ["«tvly-dev-<a32>»"];
"fireworks key" ["fw_"] {r"[[:alnum:]]{22,28}" alone} finds ["«fw_<a24>»"];
"voyage key" ["pa-"] {r"[\w-]{43}" alone} finds ["«pa-<a43>»"];
"jina key" ["jina_"] {r"\w{55,65}" known} finds ["«jina_<a60>»"];
"elevenlabs key" ["sk_"] {r"[0-9a-f]{48}" alone} finds ["«sk_<h48>»"] leaves ["ask_<h48>"];
"together key" ["tgp_v1_"] {r"[\w-]{43}" known} finds ["«tgp_v1_<a43>»"];
"replicate token" ["r8_"] {r"[[:alnum:]]{37,40}" known} finds ["«r8_<a37>»"];
"perplexity key" ["pplx-"] {r"[[:alnum:]]{40,60}" known} finds ["«pplx-<a48>»"];
"nvidia key" ["nvapi-"] {r"[\w-]{50,100}" known} finds ["«nvapi-<a64>»"];
"npm token" ["npm_"] {r"[[:alnum:]]{36}" known} finds ["«npm_<a36>»"];
"pypi token" ["pypi-"] {r"[\w-]{50,400}" known} finds ["«pypi-AgEIcHlwaS5vcmc<a120>»"];
"rubygems key" ["rubygems_"] {r"[0-9a-f]{48}" known} finds ["«rubygems_<h48>»"];
"crates.io token" ["cio"] {r"[[:alnum:]]{32}" alone} finds ["«cio<a32>»"];
"docker token" ["dckr_pat_" "dckr_oat_"] {r"[\w-]{27,40}" known} finds ["«dckr_pat_<a27>»"];
"sendgrid key" ["SG."] {r"[\w.-]{60,75}" known} finds ["«SG.<a22>.<a43>»"];
"mailgun key" ["key-"] {r"[0-9a-f]{32}" alone} finds ["«key-<h32>»"] leaves ["cache-key-<h32> img/key-<h32>"];
"twilio key" ["SK"] {r"[0-9a-f]{32}" alone} finds ["«SK<h32>»"] leaves ["SK<h32>A"];
"digitalocean token" ["dop_v1_" "doo_v1_" "dor_v1_"] {r"[0-9a-f]{64}" known} finds ["«dop_v1_<h64>»"];
"databricks token" ["dapi"] {r"[0-9a-f]{32}" alone} finds ["«dapi<h32>»"];
"heroku key" ["HRKU-"] {r"[\w-]{36,70}" known} finds ["«HRKU-AA<a58>»"];
"doppler token" ["dp.pt." "dp.ct." "dp.sa." "dp.st."] {r"[\w.-]{40,80}" known} finds ["«dp.pt.<a43>»"];
"vault token" ["hvs." "hvb."] {r"[\w-]{24,300}" known} finds ["«hvs.<a24>»"];
"linear key" ["lin_api_"] {r"[[:alnum:]]{40}" known} finds ["«lin_api_<a40>»"];
"notion token" ["ntn_"] {r"[[:alnum:]]{40,60}" known} finds ["«ntn_<a46>»"];
"notion token" ["secret_"] {r"[[:alnum:]]{43}" random} finds ["«secret_<a43>»"];
"postman key" ["PMAK-"] {r"[\w-]{50,64}" known} finds ["«PMAK-<h24>-<h34>»"];
"grafana token" ["glsa_"] {r"\w{40,50}" known} finds ["«glsa_<a32>_<h8>»"];
"grafana token" ["glc_"] {r"[[:alnum:]+/=]{32,400}" known} finds ["«glc_<a60>»"];
"new relic key" ["NRAK-"] {r"[0-9A-Z]{27}" known} finds ["«NRAK-<u27>»"];
"dynatrace token" ["dt0c01."] {r"[\w.-]{89}" known} finds ["«dt0c01.<u24>.<u64>»"];
"supabase token" ["sbp_"] {r"[0-9a-f]{40}" known} finds ["«sbp_<h40>»"];
"sentry token" ["sntrys_" "sntryu_"] {r"[[:alnum:]+/=]{40,400}" known} finds ["«sntrys_<a60>»", "«sntryu_<h64>»"];
"figma token" ["figd_"] {r"[\w-]{40,60}" known} finds ["«figd_<a40>»"];
"tailscale key" ["tskey-"] {r"[\w-]{20,100}" random} finds ["«tskey-auth-<a11>-<a32>»"];
"age key" ["AGE-SECRET-KEY-1"] {r"[0-9A-Z]{58}" known} finds ["«AGE-SECRET-KEY-1<u58>»"];
"extended private key" ["xprv" "yprv" "zprv"] {r"[[:alnum:]]{107}" known} finds ["«xprv<a107>»"];

"slack webhook" ["hooks.slack.com/services/" "hooks.slack.com/workflows/" "hooks.slack.com/triggers/"]
    {r"([\w/@-]{30,250})" path}
    finds ["https://hooks.slack.com/services/«T0AB1CD2E/B0AB1CD2E/<a24>»",
        "https://hooks.slack.com/triggers/«T0AB1CD2E/1234567890123/<h32>»"];
"teams webhook" [".webhook.office.com/webhook"] {r"[^/\s]{0,2}/([\w/@-]{60,250})" path}
    finds ["https://a.webhook.office.com/webhookb2/«<uuid>@<uuid>/IncomingWebhook/<h32>/<uuid>»"];
"discord webhook" ["discord.com/api/webhooks/" "discordapp.com/api/webhooks/"] {r"([\w/-]{60,250})" path}
    finds ["https://discord.com/api/webhooks/«123456789012345678/<a68>»"];
"discord token" ["MD" "MT" "Mj" "Mz" "ND" "NT" "Nj" "Nz" "OD" "OT"]
    {r"[AEIMQUYcgk][w-z0-5](?:[M-O][DTjz][AEIMQUYcgk][w-z0-5]){4}[\w-]{3,8}\.[\w-]{6}\.[\w-]{27,38}" random}
    finds ["name-«MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.<a27>»"] leaves ["<a24>.<a6>.<a27>"];
"telegram token" [":AA"] {before r"(?:bot)?([0-9]{8,10})\z" r"[\w-]{33}" known}
    finds ["bot «123456789:AA<a33>»", "/bot«123456789:AA<a33>»/getMe"];
"azure key" ["AccountKey=" "SharedAccessKey="] {r"([[:alnum:]+/]{38,98}={1,2})" known}
    finds ["AccountName=x;AccountKey=«<a86>==»;"];
"azure signature" ["?sig=" "&sig=" ";sig="] {r"([[:alnum:]+/%]{38,88}(?:%3[Dd]|=))" known}
    finds ["https://x.blob.core.windows.net/c?sv=2024&sig=«<a43>%3D»&se=1"];
"azure client secret" ["Q~"] {before r"([\w.~]{3}[0-9])\z" r"[\w.~-]{31,34}" random} finds ["«abc8Q~<a34>»"];
"azure devops token" ["AZDO"] {before r"([[:alnum:]]{76})\z" r"[[:alnum:]]{4}" random} finds ["«<a76>AZDO<a4>»"];
"terraform token" [".atlasv1."] {before r"([[:alnum:]]{14})\z" r"[\w-]{60,70}" known} finds ["«<a14>.atlasv1.<a64>»"];
"presigned address" ["X-Amz-Signature=" "X-Goog-Signature=" "X-Amz-Security-Token=" "x-amz-signature="]
    {r"([\w%+/=.-]{32,})" known}
    finds ["?X-Amz-Expires=60&X-Amz-Signature=«<h64>»", "X-Goog-Signature=«<h256>»&x=1"] leaves ["X-Amz-Signature=<signature>"];
"presigned address" ["&Signature=" "?Signature="] {r"([\w%+/=~-]{20,})" random}
    finds ["Expires=1735689600&Signature=«vjbyPxybdZaNmGa%2ByT272YEAiv4%3D»"] leaves ["&Signature=your-signature-goes-here"];
"password hash" ["$apr1$" "$1$"] {r"[[:alnum:]./]{1,8}\$[[:alnum:]./]{22}" known} finds ["bob:«$apr1$Xk2v9QzT$<a22>»"];
"password hash" ["$2y$" "$2a$" "$2b$"] {r"[0-9]{2}\$[[:alnum:]./]{53}" known} finds ["«$2y$05$<a53>»"] leaves ["$2b$10$abc"];
"password hash" ["$5$" "$6$" "$y$"] {r"(?:rounds=\d+\$)?[[:alnum:]./$]{1,40}\$[[:alnum:]./]{43,86}" known} finds ["«$6$rounds=5000$salt$<a86>»"];
"password hash" ["$argon2"] {r"(?:id|i|d)\$v=\d+\$[\w=,]+\$[[:alnum:]+/]{8,}\$[[:alnum:]+/]{16,}" known} finds ["«$argon2id$v=19$m=65536,t=3,p=4$<a22>$<a43>»"];
"password hash" ["{SHA}" "{SSHA}"] {r"[[:alnum:]+/]{27,60}=*" known} finds ["bob:«{SHA}<a27>=»"];
}
