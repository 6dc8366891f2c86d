//! Secrets known by the text before them: the name they are assigned to, a header, a command.
//!
//! The values of `SHORTHANDS` appear in patterns between braces.

use crate::guard::context;
use crate::guard::given;
use crate::guard::rule::rules;

rules! { HEADERS, Any, reach 8192:

"aws secret key" ["secret_access_key" "secretaccesskey" "secret-access-key" "aws_secret_key" "aws_secret" "awssecretkey"]
    {r#"{is}\\*["'`]?([[:alnum:]/+]{40})"# given::aws_secret}
    finds ["aws_secret_access_key = «<a40>»\n", "\"SecretAccessKey\": \"«<a40>»\"", "aws_secret_access_key: «<a40>»\n",
        "SecretAccessKey: \"«HwBSyfRu0sXJpAHwBSyfRu0sXJpAHwBSyfRu0sXJ»\""]
    leaves ["aws_secret_access_key = <your secret access key of forty letters>"];
"bearer token" ["bearer"] {r"(?:[ \t]{1,4}|\\t|%20)([\w.~+/|=-]{8,})" given::bearer}
    finds ["Authorization: Bearer «<a40>»", "Authorization: Bearer  «<a40>»", "Authorization:\tBearer\t«<a40>»",
        "Authorization: Bearer\\t«<a40>»", "Authorization: Bearer «<uuid>»", "Authorization: Bearer «12|<a40>»"]
    leaves ["Bearer authentication-is-required-here", "Authorization: Bearer YOUR_API_KEY_HERE_123",
        "Authorization: Bearer ${TOKEN}", "Authorization: Bearer <token> or Authorization: Token token=\"…\""];
"basic credentials" ["basic"] {r"(?:[ \t]{1,4}|%20)([[:alnum:]+/]{8,}={0,2})" given::credentials}
    finds ["\"Authorization\": \"Basic «<b64:bob:hunter2hunter>»\""]
    leaves ["Basic understanding of Authorization: none", "Authorization: Basic dXNlcjpwYXNzd29yZA=="];
"authorization header" ["authorization"]
    {r#"[\\"'`\])]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'`]{0,4}(?:[a-z][\w-]{1,30}[ \t]+)?([\w.~+/|-]{12,}={0,2})"# given::header}
    finds ["Authorization: Token «<h40>»", "authorization: token «<h40>»\n", "-H 'Authorization: «<a40>»' https://x",
        "\"Authorization\": \"ApiKey «<a40>==»\""]
    leaves ["Authorization: see docs/permissions2.md, table 12, before 2026-01-01", "AUTHORIZATION: NTSTATUS = 0xC0290149_u32"];
"authorization header" ["authorization"] {many context::pairs}
    finds ["Authorization: Digest username=\"a\", response=\"«<h32>»\"", "Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=«<h64>»"]
    leaves ["Authorization: Digest username=\"a\", realm=\"b\""];
"cookie" ["cookie" " -b "] {many context::pairs}
    finds ["Cookie: theme=dark; sessionid=«k3j9x0q2m8s7»; lang=en", "Set-Cookie: sid=«7F2A9C0D4E1B»; Path=/; Max-Age=3600",
        "curl -b \"session=«k3j9x0q2m8s7»\" x", "headers = {\"Cookie\": \"PHPSESSID=«r2t5k1n8v3b6m9»\"}"]
    leaves ["Cookie: theme=dark; consent=yes; v=2", "Set-Cookie: session=<value>; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "cookies = parse(x); a=b"];
"docker credentials" ["\"auth\"" "\"auth\\\"" "_auth" "_password"] {r#"[\\"']{0,2}\s{0,4}[:=]\s{0,4}\\*["']?([[:alnum:]+/]{8,}={0,2})"# given::credentials}
    finds ["{\"auths\": {\"r.io\": {\"auth\": \"«<b64:ci-bot:blue-whale-42>»\"}}}", "//r.io/:_auth=«<b64:ci-bot:blue-whale-42>»"]
    leaves ["\"auth\": \"required\", \"auth\": \"dXNlcjpwYXNzd29yZA==\""];
"docker credentials" ["dockerconfigjson" "dockercfg"] {r#"["'\\]{0,2}\s{0,4}:\s{0,4}["'\\]{0,2}([[:alnum:]+/]{20,}={0,2})"# given::any}
    finds [".dockerconfigjson: «<a80>=»"] leaves ["dockerconfigjson: {{ .Values.registry }}"];
"kubernetes key" ["client-key-data"] {r#"["'\\]{0,2}\s{0,4}:\s{0,4}["'\\]{0,2}([[:alnum:]+/]{20,}={0,2})"# given::any}
    finds ["client-key-data: «LS0tLS1CRUdJTiBS<a80>==»"] leaves ["client-key-data: REDACTED"];
"kubernetes secret" ["data:" "data\":"] {many context::kubernetes}
    finds ["kind: Secret\ndata:\n  user: «cG9zdGdyZXNfYWRtaW4=»\n  p: |\n    «abcdef»\nother: x",
        "'kind: Secret\\ndata:\\n  user: «cG9zdGdyZXNfYWRtaW4=»\\nother: x'",
        "{\"kind\": \"Secret\", \"data\": {\"pin\": \"«OTgyMTQ0MTI=»\"}, \"type\": \"Opaque\"}"]
    leaves ["kind: ConfigMap\ndata:\n  user: cG9zdGdyZXNfYWRtaW4=\n", "kind: Secret\ndata:\n  a: {{ .Values.a | b64enc }}\n"];
}

rules! { NAMED, Word, reach 256:

"column of secrets" ["password" "passwd" "passwort" "passphrase" "pass" "pwd" "secret" "key" "token" "credential"] {column}
    finds ["user,password\nann,«Sparrow_81»\n", "| env | API key |\n|---|---|\n| prod | `«d81f0c3b7a»` |"]
    leaves ["input, password\ncompare them\n", "| Field | Password |\n|---|---|\n| rule | at least 8 characters |\n| type | string |"];
"assigned secret" ["password" "passwd" "passphrase" "passcode" "passwort" "pwd" "psk"] {"{given}" given::password}
    finds ["DB_PASSWORD=«hunter2»\n", "password: «s3cr3t!»", "{\"password\": \"«Tr0ub4dor&3»\"}", "const password = '«qwe!58»';",
        "<password>«maven4Ever»</password>", "<add key=\"SmtpPassword\" value=\"«owl.Net.6»\" />", "- name: DB_PASSWORD\n  value: «marble-fox-41»\n",
        "variable \"db_password\" {\n  default = \"«terra-Form7»\"\n}", "jdbc:x://h;user=sa;password=«Str0ngLamp!»;encrypt=true",
        "?user=bob&password=«queryCrab4»&next=/", "export PGPASSWORD=«swordfish»", "passphrase: \"«the quick amber lamp hums»\"",
        "\\\"password\\\": \\\"«escaped!Emu1»\\\"", "process.env.DB_PASSWORD || '«fallbackDeer9»'", "${DB_PASSWORD:-«fallback-Lynx1»}",
        "| DB_PASSWORD | «stoneBridge42» |", "with password `«reviewMe!4»` and", "The password is «peach-Cobbler-1».", "WITH PASSWORD '«sqlKoala3»'",
        "setPassword(\"«javaYak9»\")", "define('DB_PASSWORD', '«honey7Wasp»');", "getenv(\"DB_PASSWORD\", \"«fallback_Elk8»\")"]
    leaves ["password = get_password()", "password: true", "password: string", "password = \"changeme\"", "password: <password>",
        "password = os.environ[\"DB_PASSWORD\"]", "password: ${DB_PASSWORD}", "${DB_PASSWORD:?set DB_PASSWORD}", "password = \"your-password-here\"", "PASSWORD=xxx",
        "password = \"correct horse battery staple 12\"", "password: config.database.password1,", "let password = input2;",
        "password_hash = \"a1b2c3d4\"", "password: &str", "password=password, x", "\"password\": \"...\"", "Password: 8+ chars, one uppercase",
        "password == \"\"", "password: hashed2)", "PASSWORD=$1", "password: {{ vault_password_2 }}", "const A_PASSWORD: WIN32_ERROR = 1323u32;",
        "\"PWD\": \"/home1/project/node\"", "the password is required", "| password | string |", "a password with `uppercase` letters",
        "password is base64", "getPassword(\"username\")", "\"md5\", \"password\", \"scram-sha-256\"", "$pwd = $ftp->pwd;"];
"assigned secret" ["pass"] {"{given}" given::pass}
    finds ["SMTP_PASS=«inkwell-Rose4»", "auth: { user: 'm', pass: '«penguin5Ice»' }", "define('SMTP_PASS', '«honey7Wasp»');", "ansible_become_pass: «become!Ram7»"]
    leaves ["overall_pass: true", "\"pass\": \"yes\"", "pass: 12/14", "total_pass=5"];
"assigned secret" ["secret"] {"{given}" given::secret}
    finds ["\\\"client_secret\\\": \\\"«<a32>»\\\"", "JWT_SECRET=«keyboard-cat-9000»", "secret: '«keyboard-Kitten-77»',"]
    leaves ["secret = hash_password_with_salt(password2, b64decode)", "secret: some_module::parse_secret_value_v2(x)", "secret: db-credentials",
        "JWT_SECRET = process.env.JWT_SECRET || \"test-secret\"", "secret: CRITICAL (correct)", "secret: Option<Secret2>"];
"assigned secret" ["key"] {before r"(?:secret|private|priv|encryption|encrypt|signing|master|symmetric|preshared|deploy|wallet|jwt|hmac|aes|cipher|api|access|auth|account|license|service|subscription|admin|app|client|shared|webhook|instrumentation|write|ingest)[ _.-]?\z" "{given}" given::key}
    finds ["SECRET_KEY = '«django-insecure-k8#v!2p@x^9m&q$7z*w_»'", "deployer private key: «<h64>»", "PRIVATE_KEY=«0x<h64>»", "PrivateKey = «<a43>=»",
        "api_key = \"«<a32>»\"", "x-api-key: «<a40>»\n", "api-key: «<h32>»", "api_key: «<a40>»\n", "API_KEY=«a8f3k2l9»", "HEROKU_API_KEY=«<uuid>»"]
    leaves ["private_key = load_key(path1)", "private_key_id: 12345678abc", "signing key: see chapter 12",
        "api_key = os.environ[\"OPENAI_API_KEY_2\"]", "api_key=\"your-api-key-here-12345\"", "API_KEY=sk-some-eval-test", "public_key: abc",
        "The key to it: 'sixteen or more letters1'", "api_key: str", "api_key=settings.api_key2, x", "openssl req -newkey rsa:2048"];
"assigned secret" ["token" "credential"] {"{given}" given::token}
    finds ["os.environ[\"API_TOKEN\"] = '«<a24>»'", "PRIVATE-TOKEN: «<a40>»'", "//registry.npmjs.org/:_authToken=«<uuid>»\n", "X-Auth-Token: «b7d20c91ef»", "MAIL_SERVER_TOKEN = \"«<uuid>»\""]
    leaves ["\"token\": \"<uuid>\"", "\"max_tokens\": \"1234567890123456789\"", "token: 'claude-3-5-sonnet-20241022'",
        "token: TokenStream2", "access_token: SomeLongTypeNameForTheTokenV100", "tokens: 12k345", "assert(inner::Token::F64(42.01))"];
"assigned secret" ["password" "passwd" "passphrase" "pass" "secret" "token" "key"]
    {before r"(?-i)(?:(?:\A|\s)-(?:[\w-]*[_-])?(?i:api|access|secret|private|auth|store|key|db|user|http|https|proxy|admin|client)?[_-]?|ENV \w*)\z" r"[ \t]+{word}" given::flag}
    finds ["mytool --user a --password «copper-Kettle-5»", "ENV ADMIN_PASSWORD «dock3rfile»", "keytool -storepass «keyStore!22»",
        "--api-key «f3d9b1c7a2e84056»", "gh-runner --token «AB3XQ7PLM2ZT9WDKE5RV»"]
    leaves ["use --password to log in", "--password $PASSWORD --x", "password hunter2", "--password-file a1b2c3", "--token TOKEN", "openssl req -newkey rsa:2048"];
}

rules! { COMMANDS, Any, reach 256:

"netrc password" ["machine" "default"] {r#"(?:\s+\S+)?\s+(?:login\s+\S+\s+)?(?:account\s+\S+\s+)?password\s+"?([^\s"]+)"# given::any}
    finds ["machine a.b login c password «d1e2»", "default login c password «d1e2»", "machine a.b\n  login c\n  password «d1e2»\n"]
    leaves ["the machine needs login and password", "machine a.b login c password <password>"];
"pgpass password" [":54" ":64"] {r"[0-9]{2}:[\w*.$-]+:[\w*.@$-]+:([^\s:]{3,})" given::any}
    finds ["db:5432:orders:app:«p0stGr3s-9!»"] leaves ["ports: 5432:5432 and a:5432:b"];
"pgpass password" [":*:"] {r"[\w*.$-]+:[\w*.@$-]+:([^\s:]{3,})" given::any}
    finds ["*:*:*:replicator:«blue-Heron-12»"] leaves ["a:*:b"];
"url password" ["://"] {r#"([^\s/?\#"'<>`\\{}\[\]|]+)@[[:alnum:]$%\[_-]"# given::url}
    finds ["postgres://bob:«q7Zt2Lk9»@db.internal:5432/x", "mongodb+srv://u:«a(<a8>)»@h/x", "(see https://u:«ab,<a8>»@h)",
        "https://«<h40>»@github.com/a/b.git", "https://«<a40>:»@github.com"]
    leaves ["postgres://user:password@localhost/db", "postgres://postgres:postgres@localhost/db", "https://$USER:$PASS@host/ and redis://:***@host",
        "http://host:8080/a@b and ssh://git@github.com:22/x", "https://a.b:80),c@d.e https://a.b:80,c@d.e (https://a.b:8080)@x",
        "https://registry.example.com/a@1.2.3 git+https://github.com/a/b@main"];
"url password" ["jdbc:oracle:"] {r"[a-z]+:[\w$\#]+/([^@\s/]+)@" given::any}
    finds ["jdbc:oracle:thin:scott/«bison_Field8»@//ora:1521/XE"] leaves ["jdbc:oracle:thin:scott/<password>@//ora:1521/XE"];
"hex private key" ["accounts: [" "wallet(" "privatekeytoaccount(" "from_key(" "fromprivatekey("] {r#"\s*["'`](0x[0-9a-f]{64})["'`]"# given::any}
    finds ["new ethers.Wallet(\"«0x<h64>»\", p)"];
"seed phrase" ["mnemonic" "seed phrase" "seed_phrase" "seedphrase" "seed-phrase" "seed words" "seed_words" "recovery phrase"
    "recovery_phrase" "recovery-phrase" "secret phrase" "backup phrase" "wallet seed" "wallet_seed"]
    {r#"\w{0,12}(?: \([^)\n]{0,20}\))?["'`*\\\])]{0,4}\s{0,4}(?::=|[:=]|\bis\b|\()?[\s"'`*\\(\[]{0,12}((?-i:(?:[0-9]{1,2}[.)]\s?)?[a-z]{3,8}(?:\s{1,6}|[\\"']{0,3},\s?[\\"']{0,3})){11,23}(?-i:[0-9]{1,2}[.)]\s?)?(?-i:[a-z]{3,8}))"# given::seed}
    finds ["\\\"mnemonic\\\": \\\"«ladder orbit velvet canyon mirror sponge tribe acid lumber fossil wagon elite»\\\" and gave the expected address",
        "MNEMONIC=\"«ladder orbit velvet canyon mirror sponge tribe acid lumber fossil wagon elite»\""]
    leaves ["The seed phrase must never leave the device and every backup needs two people who know it"];

"command password" ["mysql" "mariadb"] {r"\w*[ \t][^\n]*?[ \t](?-i:-p){word}" given::any}
    finds ["mysql -h db -u root -p«hunter2» shop", "mysqldump -uadmin -p'«P!ano44»' o > x"] leaves ["mysql -u root -p shop", "mysql -u x -p$PASS db"];
"command password" ["mysqladmin"] {r"[^\n]*?[ \t]password[ \t]+{word}" given::any}
    finds ["mysqladmin -u root password «newBarn8»"] leaves ["mysqladmin -u root password $P"];
"command password" ["sshpass"] {r"[^\n]*?[ \t]-p[ \t]*{word}" given::any} finds ["sshpass -p '«Rack!server3»' ssh x"] leaves ["sshpass -p $P ssh x"];
"command password" [" login "] {r"[^\n]*?(?-i:[ \t]-p)[ \t]+{word}" given::any}
    finds ["docker login -u ci -p «blue-whale-42» r.io"] leaves ["docker login -u ci -p \"$TOKEN\" r.io"];
"command password" ["mongo"] {r"\w*[ \t][^\n]*?(?-i:[ \t]-p)[ \t]+{word}" given::any} finds ["mongosh -u a -p «mon4go»"] leaves ["mongosh -u a -p <pw>"];
"command password" ["redis-cli"] {r"[^\n]*?[ \t]-a[ \t]+{word}" given::any} finds ["redis-cli -h c -a «redisFox6» ping"] leaves ["redis-cli -a $P"];
"command password" ["ldap"] {r"(?:search|modify|add|whoami|passwd|delete)[ \t][^\n]*?(?-i:[ \t]-w)[ \t]+{word}" given::any}
    finds ["ldapsearch -x -D cn=a -w «ldapSwan5» -b dc=x"] leaves ["ldapsearch -x -W"];
"command password" ["sqlcmd" "zip " "ssh-keygen "] {r"[^\n]*?(?-i:[ \t]-[PN])[ \t]*{word}" given::any}
    finds ["sqlcmd -S h -U sa -P «Sql-Otter-3»", "ssh-keygen -t ed25519 -N \"«tall grass hides»\" -f id"] leaves ["ssh-keygen -t rsa -N \"\" -f id"];
"command password" ["7z "] {r"[^\n]*?[ \t]-p{word}" given::any} finds ["7z a -p«zip7Wren» a.7z"] leaves ["7z a -p a.7z"];
"command password" ["htpasswd "] {r"-\w*b\w*[ \t]+(?:-\w+[ \t]+)*\S+[ \t]+\S+[ \t]+{word}" given::any}
    finds ["htpasswd -b .htpasswd alice «wool-Jacket-3»"] leaves ["htpasswd -c .htpasswd alice"];
"command password" [" -u" " --user" "\t-u" "\t--user"] {r#"[ =]?["']?[^\s:"'$<{}`]*:([^\s"'`]+)"# given::user}
    finds ["curl -u admin:«tulip-Road-7» https://x", "curl --user 'svc:«g4rden!Gate»' x", "curl -ubob:«paper.Moon.19» x"]
    leaves ["docker run -u 1000:1000 x", "curl -u user:password x", "curl -u \"$USER:$PASS\" x", "chown -u web:web x"];
"command password" ["echo "] {r#"["']?([^\s"'`$<-][^\s"'`]*)["']?[ \t]*\|[^\n]*?(?:--password-stdin|sudo -S)"# given::any}
    finds ["echo «blue-whale-43» | docker login --password-stdin"] leaves ["echo $P | docker login --password-stdin"];
"cookie" ["set_cookie(" "setcookie(" ".cookie(" "cookies.set("] {r#"\s*["'][^"'\n]+["']\s*,\s*["']()"# given::prose_word}
    finds ["response.set_cookie(\"session\", \"«v1.MjAyNC4xMi4w»\")"] leaves ["res.cookie(\"theme\", \"dark\")"];
"cookie" ["cookies"] {r#"["']?\s*[=:]\s*\{\s*["'][^"'\n]+["']\s*:\s*["']()"# given::prose_word}
    finds ["get(u, cookies={\"sessionid\": \"«9x8c7v6b5n4m3»\"})"] leaves ["cookies={\"theme\": \"dark\"}"];
"assigned secret" ["credentials:" "credentials**:" "creds:" "login:"] {r#"\**\s{0,4}[`"']?[\w.@+-]+[`"']?\s?[/:|]\s?[`"']?()"# given::prose_word}
    finds ["Credentials: admin / «slashPw33!»"] leaves ["login: user / password", "Login: https://x.org/a1b2c3"];
"command password" ["requirepass" "masterauth"] {r"[ \t]+{word}" given::prose_word} finds ["requirepass «redis-Wolf-5»"] leaves ["requirepass foobared"];
"command password" ["-passin pass:" "-passout pass:" "-pass pass:"] {r"{word}" given::any} finds ["openssl x -passin pass:«open5Toad»"] leaves ["-passin pass:$P"];
"command password" ["identified by"] {r"[ \t]+(?:password[ \t]+)?'()" given::any} finds ["IDENTIFIED BY '«sqlPanda4»';"] leaves ["IDENTIFIED BY 'password'"];
"command password" ["auth=(" "auth = (" "basicauth(" "basic_auth(" ".login("] {r#"\s*["'][^"'\n]+["']\s*,\s*["']()"# given::mixed}
    finds ["requests.get(u, auth=(\"svc\", \"«tuple!Newt2»\"))"] leaves ["auth=(\"user\", \"password\")", ".login(\"name\", \"second name\")"];
"command password" ["converttosecurestring " "convertto-securestring "] {r#"(?:-string[ \t]+)?["']()"# given::any}
    finds ["ConvertTo-SecureString \"«Posh-Toad3»\" -AsPlainText"] leaves ["ConvertTo-SecureString \"$p\" -AsPlainText"];
}
