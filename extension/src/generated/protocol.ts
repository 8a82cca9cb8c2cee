// GENERATED from crates/protocol by `cargo xtask codegen`. Do not edit.

export const PROTOCOL_VERSION = 1;
export const MAX_FRAME_BYTES = 33554432;

/** The table of words that move money; a daemon may add to it. */
export const MONEY_WORDS: MoneyWords = {
  "pay": [
    "pay",
    "pay now",
    "buy",
    "buy now",
    "purchase",
    "checkout",
    "check out now",
    "place order",
    "place the order",
    "place your order",
    "place my order",
    "order now",
    "complete order",
    "confirm order",
    "submit order",
    "confirm payment",
    "make payment",
    "complete payment",
    "subscribe",
    "start subscription",
    "renew",
    "become a member",
    "upgrade now",
    "top up",
    "add funds",
    "deposit",
    "withdraw",
    "transfer",
    "send money",
    "wire money",
    "donate",
    "leave a tip",
    "send tip",
    "place bid",
    "bid now",
    "book now",
    "reserve now",
    "支付",
    "付款",
    "付费",
    "付費",
    "缴费",
    "繳費",
    "缴纳",
    "买单",
    "買單",
    "结算",
    "結算",
    "结账",
    "結帳",
    "结帐",
    "下单",
    "下單",
    "提交订单",
    "提交訂單",
    "确认订单",
    "確認訂單",
    "立即购买",
    "立即購買",
    "购买",
    "購買",
    "立即订购",
    "订购",
    "訂購",
    "充值",
    "儲值",
    "提现",
    "提現",
    "转账",
    "轉帳",
    "轉賬",
    "汇款",
    "匯款",
    "打赏",
    "打賞",
    "捐款",
    "捐赠",
    "捐贈",
    "续费",
    "續費",
    "续订",
    "订阅",
    "訂閱",
    "开通会员",
    "開通會員",
    "成为会员",
    "去结算",
    "抢购",
    "搶購",
    "秒杀",
    "拍下",
    "还款",
    "還款",
    "支払",
    "お支払",
    "購入",
    "買う",
    "決済",
    "注文",
    "送金",
    "振込",
    "振り込",
    "出金",
    "引き出",
    "チャージする",
    "寄付する",
    "課金",
    "投げ銭",
    "定期購読",
    "会員になる",
    "有料登録",
    "レジに進",
    "ご購入",
    "今すぐ予約"
  ],
  "generic": [
    "confirm",
    "ok",
    "okay",
    "submit",
    "agree",
    "i agree",
    "continue",
    "next",
    "accept",
    "proceed",
    "yes",
    "finish",
    "complete",
    "authorize",
    "authorise",
    "approve",
    "send",
    "book",
    "reserve",
    "确认",
    "確認",
    "确定",
    "確定",
    "提交",
    "同意",
    "继续",
    "繼續",
    "下一步",
    "完成",
    "好",
    "是",
    "立即",
    "马上",
    "馬上",
    "批准",
    "授权",
    "授權",
    "预订",
    "預訂",
    "送信",
    "続行",
    "続ける",
    "続き",
    "次へ",
    "進む",
    "はい",
    "了解",
    "承認",
    "承諾",
    "完了",
    "申し込",
    "申込",
    "予約",
    "実行",
    "確かめ"
  ],
  "currencies": [
    "¥",
    "$",
    "€",
    "£",
    "₩",
    "₹",
    "₽",
    "฿",
    "₫",
    "₪",
    "₺",
    "₴",
    "₱",
    "₿",
    "元",
    "圆",
    "圓",
    "块",
    "塊",
    "円",
    "원",
    "人民币",
    "人民幣",
    "美元",
    "日元",
    "港币",
    "港幣",
    "欧元",
    "歐元",
    "ドル",
    "ユーロ",
    "usd",
    "eur",
    "gbp",
    "jpy",
    "cny",
    "rmb",
    "hkd",
    "twd",
    "nt$",
    "krw",
    "inr",
    "aud",
    "cad",
    "chf",
    "sgd",
    "btc",
    "eth",
    "usdt",
    "dollar",
    "dollars",
    "euro",
    "euros",
    "pound",
    "pounds",
    "yen",
    "yuan"
  ],
  "harmless": [
    "history",
    "histories",
    "method",
    "methods",
    "settings",
    "help",
    "guide",
    "policy",
    "policies",
    "terms",
    "faq",
    "how to",
    "about",
    "记录",
    "記錄",
    "历史",
    "歷史",
    "方式",
    "方法",
    "设置",
    "設置",
    "设定",
    "帮助",
    "幫助",
    "说明",
    "說明",
    "详情",
    "詳情",
    "列表",
    "规则",
    "規則",
    "协议",
    "協議",
    "条款",
    "條款",
    "指南",
    "教程",
    "须知",
    "履歴",
    "記録",
    "設定",
    "一覧",
    "詳細",
    "ガイド",
    "とは",
    "について",
    "規約",
    "ヘルプ",
    "確認方法"
  ]
};

/**
 * What became of an action: refused before dispatch, or dispatched.
 */
export type Act = { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, } | { "kind": "already", 
/**
 * The target.
 */
before: TargetFacts, } | { "kind": "done", 
/**
 * How.
 */
input: Input, 
/**
 * The target before the action.
 */
before: TargetFacts, 
/**
 * The element that really received it; absent when none did.
 */
delivered?: Described, 
/**
 * For typing: UTF-16 units that were handed to the field after its own limits (`maxlength`). For keys: chords that were pressed.
 */
accepted?: number, 
/**
 * Whether the field holds exactly the asked text right after the dispatch.
 */
holds?: boolean, 
/**
 * For scrolling: what became of the scroller; absent when there is none.
 */
scrolled?: Scrolled, 
/**
 * For dragging: the element that the button was let go over.
 */
dropped?: Described, 
/**
 * The first look, taken at once.
 */
look: Look, };

/**
 * Answer of `data/body`.
 */
export type Body = { 
/**
 * Its request.
 */
request: Request, 
/**
 * The body; absent: it was not kept.
 */
content?: Content, 
/**
 * Why it was not kept.
 */
missing?: string, };

/**
 * A button of the mouse.
 */
export type Button = "left" | "right" | "middle";

/**
 * Parameters of `capture/screenshot`.
 */
export type CaptureScreenshot = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Format.
 */
format: Format, 
/**
 * JPEG quality, 1 to 100.
 */
quality: number, 
/**
 * Longest side in image pixels; larger pictures are scaled down.
 */
maxSide: number, 
/**
 * Only this element, scrolled into view; absent: the viewport.
 */
target?: Target, 
/**
 * The whole page.
 */
full: boolean, 
/**
 * Draw the refs on it.
 */
refs: boolean, };

/**
 * How surely a change belongs to the action (design §3, "Cause decides").
 */
export type Cause = "sync" | "linked" | "window";

/**
 * Answer of the daemon.
 */
export type Challenge = { 
/**
 * Version of the daemon.
 */
version: string, 
/**
 * Random id of this daemon's state dir.
 */
instance: string, 
/**
 * 32 random bytes, hex.
 */
nonce: string, 
/**
 * The daemon's proof, hex.
 */
proof: string, };

/**
 * A key with the modifiers that are held while it is pressed, in the order they go down.
 */
export type Chord = { 
/**
 * Control, Shift, Alt, Meta.
 */
held: Array<PressedKey>, 
/**
 * The key itself.
 */
key: PressedKey, };

/**
 * Daemon → extension, tagged by `method`.
 */
export type Command = { "method": "tabs/list", "params": TabsList } | { "method": "tabs/create", "params": TabsCreate } | { "method": "tabs/activate", "params": TabsActivate } | { "method": "tabs/close", "params": TabsClose } | { "method": "tabs/hold", "params": TabsHold } | { "method": "navigate/go", "params": NavigateGo } | { "method": "navigate/history", "params": NavigateHistory } | { "method": "navigate/reload", "params": NavigateReload } | { "method": "snapshot/take", "params": SnapshotTake } | { "method": "snapshot/text", "params": SnapshotText } | { "method": "snapshot/html", "params": SnapshotHtml } | { "method": "snapshot/find", "params": SnapshotFind } | { "method": "pointer/click", "params": PointerClick } | { "method": "pointer/facts", "params": PointerFacts } | { "method": "pointer/hover", "params": PointerHover } | { "method": "pointer/scroll", "params": PointerScroll } | { "method": "pointer/drag", "params": PointerDrag } | { "method": "pointer/listeners", "params": PointerListeners } | { "method": "keyboard/type", "params": KeyboardType } | { "method": "keyboard/press", "params": KeyboardPress } | { "method": "form/check", "params": FormCheck } | { "method": "form/select", "params": FormSelect } | { "method": "form/fill", "params": FormFill } | { "method": "form/owner", "params": FormOwner } | { "method": "form/submit", "params": FormSubmit } | { "method": "form/upload", "params": FormUpload } | { "method": "dialog/answer", "params": DialogAnswer } | { "method": "watch/look", "params": WatchLook } | { "method": "wait/probe", "params": WaitProbe } | { "method": "capture/screenshot", "params": CaptureScreenshot } | { "method": "data/query", "params": DataQuery } | { "method": "data/console", "params": DataConsole } | { "method": "data/requests", "params": DataRequests } | { "method": "data/body", "params": DataBody } | { "method": "data/fetch", "params": DataFetch } | { "method": "data/download", "params": DataDownload } | { "method": "human/words", "params": HumanWords } | { "method": "human/confirm", "params": HumanConfirm } | { "method": "data/eval", "params": DataEval } | { "method": "link/reload", "params": LinkReload } | { "method": "human/panel", "params": HumanPanel } | { "method": "link/echo", "params": LinkEcho };

/**
 * Error of one command, on the link.
 */
export type CommandError = { 
/**
 * Closed code.
 */
code: ErrorCode, 
/**
 * What happened, one sentence.
 */
message: string, };

/**
 * One thing that `wait/probe` looks for, in every frame.
 */
export type Condition = { "kind": "text", 
/**
 * Text, white space folded.
 */
text: string, } | { "kind": "textGone", 
/**
 * Text, white space folded.
 */
text: string, } | { "kind": "css", 
/**
 * CSS selector.
 */
selector: string, } | { "kind": "url", 
/**
 * Part of the URL.
 */
part: string, } | { "kind": "ref", 
/**
 * Ordinal of its document.
 */
doc: number, 
/**
 * Number within the document.
 */
node: number, 
/**
 * Wanted state; absent: the node is gone or hidden.
 */
state?: State, } | { "kind": "idle" };

/**
 * Result of `human/confirm`.
 */
export type Confirmed = { 
/**
 * The answer.
 */
permission: Permission, };

/**
 * Answer of `data/console`.
 */
export type Console = { 
/**
 * The tab.
 */
tab: Tab, 
/**
 * In the order of time.
 */
entries: Array<ConsoleEntry>, 
/**
 * Older ones that were not kept.
 */
dropped: number, 
/**
 * Why it may be incomplete.
 */
missing?: string, };

/**
 * A message of a page's console, or an uncaught exception.
 */
export type ConsoleEntry = { 
/**
 * `log`, `info`, `warning`, `error`, `debug`, …
 */
level: string, 
/**
 * What it says; cut to 2000 characters.
 */
text: string, 
/**
 * Script and line, when known.
 */
place?: string, 
/**
 * An uncaught exception.
 */
exception: boolean, 
/**
 * Milliseconds since 1970.
 */
at: number, };

/**
 * Bytes as text or Base64.
 */
export type Content = { 
/**
 * Text, or Base64 of the bytes.
 */
data: string, 
/**
 * `data` is Base64: the bytes are no text.
 */
binary: boolean, 
/**
 * More was there than the limit allows.
 */
cut: boolean, 
/**
 * Bytes that were read.
 */
bytes: number, };

/**
 * Parameters of `data/body`.
 */
export type DataBody = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Number of the request.
 */
number: number, 
/**
 * Bytes at most.
 */
limit: number, };

/**
 * Parameters of `data/console`.
 */
export type DataConsole = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Only what was said after this time, in milliseconds since 1970.
 */
since?: number, 
/**
 * Entries at most, the newest.
 */
limit: number, };

/**
 * Parameters of `data/download`.
 */
export type DataDownload = { 
/**
 * Tab for which it is done.
 */
tab: number, 
/**
 * Absolute http or https address.
 */
url: string, 
/**
 * Milliseconds at most.
 */
limitMs: number, };

/**
 * Parameters of `data/eval`.
 */
export type DataEval = { 
/**
 * Tab.
 */
tab: number, 
/**
 * A script, or the body of an async function.
 */
code: string, 
/**
 * So long a promise is awaited, in milliseconds.
 */
limitMs: number, 
/**
 * UTF-16 units of the value at most.
 */
limit: number, };

/**
 * Parameters of `data/fetch`.
 */
export type DataFetch = { 
/**
 * Tab whose page asks.
 */
tab: number, 
/**
 * Address, also relative to the page's.
 */
url: string, 
/**
 * HTTP method.
 */
method: string, 
/**
 * Headers.
 */
headers: Array<Header>, 
/**
 * Body to send.
 */
body?: string, 
/**
 * Bytes of the answer at most.
 */
limit: number, 
/**
 * Milliseconds at most.
 */
limitMs: number, };

/**
 * Parameters of `data/query`; exactly one of selector and contains.
 */
export type DataQuery = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Selector of the rows.
 */
selector?: string, 
/**
 * Text to look for.
 */
contains?: string, 
/**
 * What to take out; none: the text, or the cells of a table.
 */
fields: Array<Field>, 
/**
 * Rows at most.
 */
limit: number, };

/**
 * Parameters of `data/requests`.
 */
export type DataRequests = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What to do about bodies.
 */
recording: Recording, };

/**
 * A node in words.
 */
export type Described = { 
/**
 * ARIA role, or the tag name where there is none.
 */
role: string, 
/**
 * Accessible name or a short text; cut to 80 characters.
 */
name: string, 
/**
 * Ordinal of its document, when it has a ref.
 */
doc?: number, 
/**
 * Number within its document, when it has a ref.
 */
node?: number, 
/**
 * Where it stands, where that tells it from others of its name.
 */
within?: Surrounding, };

/**
 * A native dialog.
 */
export type Dialog = { 
/**
 * Which kind.
 */
kind: DialogKind, 
/**
 * What it says; cut to 500 characters.
 */
text: string, 
/**
 * Whether the debugger was attached in time, so that it can be closed from here.
 */
closable: boolean, };

/**
 * Parameters of `dialog/answer`.
 */
export type DialogAnswer = { 
/**
 * Tab.
 */
tab: number, 
/**
 * OK; else cancel.
 */
accept: boolean, 
/**
 * Text for a prompt.
 */
text?: string, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Kinds of native dialogs.
 */
export type DialogKind = "alert" | "confirm" | "prompt" | "beforeUnload";

/**
 * Result of commands that have nothing to tell.
 */
export type Done = Record<symbol, never>;

/**
 * Answer of `data/download`.
 */
export type Downloaded = { 
/**
 * Absolute path of the file that Chrome wrote.
 */
path: string, 
/**
 * Name that the server or the address gives it.
 */
name: string, 
/**
 * Bytes.
 */
bytes: number, 
/**
 * MIME type.
 */
mime: string, 
/**
 * Address after redirects.
 */
url: string, };

/**
 * Result of `link/echo`: milliseconds each hop took inside the extension.
 */
export type Echo = { 
/**
 * Random word of this life of the worker.
 */
generation: string, 
/**
 * `offscreen` or `worker`: who holds the socket.
 */
socket: string, 
/**
 * Worker → content script → worker; absent when no tab was named.
 */
pageMs?: number, 
/**
 * Why the page did not answer.
 */
pageError?: string, };

/**
 * Why a call was refused or failed (design §3). Closed: a new code is a new row.
 */
export type ErrorCode = "stale_ref" | "not_found" | "ambiguous" | "covered" | "disabled" | "not_visible" | "not_editable" | "wrong_kind" | "no_match" | "restricted_page" | "no_tab" | "tab_owned" | "paused" | "needs_confirmation" | "declined" | "dialog_open" | "timeout" | "cancelled" | "extension_not_connected" | "protocol_mismatch" | "invalid_argument" | "unsupported" | "internal";

/**
 * How an agent's script ended.
 */
export type EvalEnd = "value" | "thrown" | "late" | "gone";

/**
 * By which way a script ran.
 */
export type EvalWay = "script" | "debugger";

/**
 * Result of `data/eval`.
 */
export type Evaluated = { 
/**
 * The tab afterwards.
 */
tab: Tab, 
/**
 * How it ended.
 */
end: EvalEnd, 
/**
 * The value as JSON, or the error; secrets masked, cut.
 */
text: string, 
/**
 * UTF-16 units before the cut.
 */
total: number, 
/**
 * How it ran.
 */
way: EvalWay, 
/**
 * A press on this was held back.
 */
stopped?: MoneyPress, };

/**
 * Extension → daemon.
 */
export type Event = { "event": "tab/created", "params": { 
/**
 * It.
 */
tab: Tab, } } | { "event": "tab/removed", "params": { 
/**
 * Its id.
 */
tab: number, } } | { "event": "tab/replaced", "params": { 
/**
 * The id that is gone.
 */
old: number, 
/**
 * The id that stands for it now.
 */
tab: number, } } | { "event": "tab/navigated", "params": { 
/**
 * Its id.
 */
tab: number, 
/**
 * New address.
 */
url: string, 
/**
 * The document stayed.
 */
sameDocument: boolean, } } | { "event": "tab/loaded", "params": { 
/**
 * Its id.
 */
tab: number, } } | { "event": "dialog/opened", "params": { 
/**
 * Tab it belongs to.
 */
tab: number, 
/**
 * It.
 */
dialog: Dialog, } } | { "event": "dialog/closed", "params": { 
/**
 * Tab it belonged to.
 */
tab: number, } } | { "event": "debugger/detached", "params": { 
/**
 * Tab.
 */
tab: number, 
/**
 * Chrome's reason word.
 */
reason: string, } } | { "event": "switches/changed", "params": { 
/**
 * They.
 */
switches: Switches, } } | { "event": "worker/started", "params": { 
/**
 * Random word of this life.
 */
generation: string, } };

/**
 * One thing that was seen since the action began.
 */
export type Evidence = { 
/**
 * How surely it belongs to the action.
 */
cause: Cause, 
/**
 * Where it is.
 */
place: Place, 
/**
 * What it is.
 */
kind: EvidenceKind, 
/**
 * The change in short, page text included: `"0 items" → "1 item"`. At most 200 characters.
 */
what: string, 
/**
 * Milliseconds after the dispatch when it was first seen.
 */
firstMs: number, 
/**
 * Milliseconds after the dispatch when it last moved.
 */
lastMs: number, 
/**
 * How many separate times it moved since the action.
 */
times: number, 
/**
 * How many times the same region had moved in the 10 s before the action.
 */
before: number, 
/**
 * A value or state is now again what it was before the action.
 */
reverted?: boolean, 
/**
 * For a navigation, tab or request: the address.
 */
url?: string, 
/**
 * For a tab: its id.
 */
tab?: number, 
/**
 * For an answered request: HTTP status.
 */
status?: number, };

/**
 * What kind of thing was seen.
 */
export type EvidenceKind = "state" | "value" | "removed" | "content" | "attribute" | "alert" | "live" | "topLayer" | "scroll" | "focus" | "caret" | "moved" | "picture" | "navigation" | "sameDocument" | "frameNavigation" | "title" | "tab" | "download" | "dialog" | "request" | "exception";

/**
 * Result of `pointer/facts`.
 */
export type Facts = { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, } | { "kind": "known", 
/**
 * What it is.
 */
facts: TargetFacts, };

/**
 * Answer of `data/fetch`.
 */
export type Fetched = { 
/**
 * HTTP status.
 */
status: number, 
/**
 * Address after redirects.
 */
url: string, 
/**
 * MIME type.
 */
mime: string, 
/**
 * The body.
 */
content: Content, };

/**
 * A field to take out of every row.
 */
export type Field = { 
/**
 * What the caller calls it.
 */
name: string, 
/**
 * Selector below the row; empty: the row itself.
 */
selector: string, 
/**
 * Attribute or property; absent: the visible text.
 */
attribute?: string, };

/**
 * One field of `form/fill`.
 */
export type FillField = { 
/**
 * Which.
 */
target: Target, 
/**
 * What it is to hold.
 */
value: FillValue, };

/**
 * What a field is to hold.
 */
export type FillValue = { "kind": "text", 
/**
 * Text.
 */
text: string, } | { "kind": "checked", 
/**
 * Checked.
 */
checked: boolean, } | { "kind": "options", 
/**
 * Labels or values.
 */
options: Array<string>, };

/**
 * Result of `form/fill`.
 */
export type Filled = { 
/**
 * The action as a whole; refused when no field took input.
 */
act: Act, 
/**
 * One for each field, in order.
 */
receipts: Array<Receipt>, };

/**
 * Parameters of `form/check`.
 */
export type FormCheck = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Which control.
 */
target: Target, 
/**
 * What it is to be.
 */
checked: boolean, 
/**
 * How.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `form/fill`.
 */
export type FormFill = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Fields in the order they are filled.
 */
fields: Array<FillField>, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `form/owner`.
 */
export type FormOwner = { 
/**
 * Tab.
 */
tab: number, 
/**
 * The fields.
 */
targets: Array<Target>, };

/**
 * Parameters of `form/select`.
 */
export type FormSelect = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Which list.
 */
target: Target, 
/**
 * Labels or values: all that are to be chosen afterwards.
 */
options: Array<string>, 
/**
 * How; native lists are never chosen from by trusted input.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `form/submit`.
 */
export type FormSubmit = { 
/**
 * Tab.
 */
tab: number, 
/**
 * A field of the form.
 */
target: Target, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `form/upload`.
 */
export type FormUpload = { 
/**
 * Tab.
 */
tab: number, 
/**
 * File input, its label, the button that opens the chooser, or the place to drop on.
 */
target: Target, 
/**
 * Absolute paths of files.
 */
paths: Array<string>, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Picture formats.
 */
export type Format = "jpeg" | "png";

/**
 * Answer of `snapshot/find`.
 */
export type FoundNodes = { 
/**
 * The tab.
 */
tab: Tab, 
/**
 * How well they match.
 */
tier: Tier, 
/**
 * How many match.
 */
count: number, 
/**
 * The first of them.
 */
matches: Array<Match>, 
/**
 * Some that are there instead.
 */
seen: Array<Described>, 
/**
 * Frames that could not be searched.
 */
unread: number, };

/**
 * Every frame of the link, both ways.
 */
export type Frame = { "kind": "hello", 
/**
 * Who it is.
 */
hello: Hello, } | { "kind": "challenge", 
/**
 * The daemon's side.
 */
challenge: Challenge, } | { "kind": "proof", 
/**
 * Its proof, hex.
 */
proof: string, 
/**
 * The user's switches now.
 */
switches: Switches, 
/**
 * Random word of this life of the worker.
 */
generation: string, } | { "kind": "welcome" } | { "kind": "refused", 
/**
 * Why.
 */
refused: Refused, } | { "kind": "request", 
/**
 * Unique among the open requests of its sender.
 */
id: number, 
/**
 * What to do.
 */
command: Command, } | { "kind": "reply", 
/**
 * The request's id.
 */
id: number, 
/**
 * Result of the command, unparsed.
 */
result?: unknown, 
/**
 * Error of the command.
 */
error?: CommandError, } | { "kind": "cancel", 
/**
 * The request's id.
 */
id: number, } | { "kind": "progress", 
/**
 * The request's id.
 */
id: number, 
/**
 * In words.
 */
note: string, } | { "kind": "event", 
/**
 * What.
 */
event: Event, } | { "kind": "ping" } | { "kind": "pong" };

/**
 * HTML of one frame or one element. Secret values are masked where it was read.
 */
export type FrameHtml = { 
/**
 * Chrome's frame id; 0 is the main frame.
 */
frame: number, 
/**
 * Address of its document.
 */
url: string, 
/**
 * Title of its document.
 */
title: string, 
/**
 * HTML, cut at the asked limit.
 */
html: string, 
/**
 * UTF-16 units before the cut.
 */
total: number, 
/**
 * Values that were masked.
 */
masked: number, };

/**
 * Text of one frame, as a person sees it.
 */
export type FrameText = { 
/**
 * Chrome's frame id.
 */
frame: number, 
/**
 * Address of the document.
 */
url: string, 
/**
 * Visible text; lines as rendered.
 */
text: string, 
/**
 * Why the frame could not be read.
 */
unreadable?: string, 
/**
 * Halves of surrogate pairs that were replaced.
 */
lone?: number, };

/**
 * One document of the tab.
 */
export type FrameTree = { 
/**
 * Chrome's frame id; 0 is the main frame.
 */
frame: number, 
/**
 * Frame id of the parent; absent for the main frame.
 */
parent?: number, 
/**
 * Ordinal of the document in this browser: refs carry it, it is never reused.
 */
doc: number, 
/**
 * Address of the document.
 */
url: string, 
/**
 * Nodes in pre-order.
 */
nodes: Array<Node>, 
/**
 * Number of this tree within its document, when later ones can be told as a difference from it.
 */
tree?: number, 
/**
 * The nodes are those of this earlier tree with the splices applied; `nodes` is empty then.
 */
since?: number, 
/**
 * In ascending order, without overlap.
 */
splices?: Array<Splice>, 
/**
 * Why the frame could not be read; `nodes` is empty then.
 */
unreadable?: string, 
/**
 * Which nodes were asked for (inside the target, in the viewport): pairs of first index and index after the last. Absent: all.
 */
within?: Array<number>, 
/**
 * What was shown for a while since the last snapshot.
 */
vanished?: Array<Vanished>, 
/**
 * Halves of surrogate pairs that were replaced.
 */
lone?: number, };

/**
 * A header of a request.
 */
export type Header = { 
/**
 * Name.
 */
name: string, 
/**
 * Value.
 */
value: string, };

/**
 * A tab held by a session.
 */
export type Held = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Name of the agent, as the mark shows it.
 */
label: string, };

/**
 * First frame of the extension.
 */
export type Hello = { 
/**
 * [`crate::PROTOCOL_VERSION`] of the extension.
 */
protocol: number, 
/**
 * Version from its manifest.
 */
version: string, 
/**
 * Hash of the sources it was built from.
 */
build: string, 
/**
 * Random id of this installation, kept in its storage.
 */
instance: string, 
/**
 * Browser name and version.
 */
browser: string, 
/**
 * Runs headless.
 */
headless: boolean, 
/**
 * 32 random bytes, hex.
 */
nonce: string, 
/**
 * Which key proves it.
 */
key: Key, };

/**
 * Result of `snapshot/html`.
 */
export type HtmlResult = { "kind": "read", 
/**
 * The tab.
 */
tab: Tab, 
/**
 * It.
 */
frame: FrameHtml, 
/**
 * Frames of the page that are not in it.
 */
frames: number, } | { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, };

/**
 * Parameters of `human/confirm`. What is asked stands in the extension: nothing of it comes from here.
 */
export type HumanConfirm = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Without an answer after so many milliseconds it is refused.
 */
limitMs: number, };

/**
 * Parameters of `human/panel`.
 */
export type HumanPanel = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What to do.
 */
panel: Panel, };

/**
 * Parameters of `human/words`.
 */
export type HumanWords = { 
/**
 * Beside the table's own.
 */
words: MoneyWords, };

/**
 * How the input was made.
 */
export type Input = "synthetic" | "trusted";

/**
 * Which key a handshake uses.
 */
export type Key = "secret" | "code";

/**
 * Parameters of `keyboard/press`.
 */
export type KeyboardPress = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What is focused first; absent: what has the focus gets them.
 */
target?: Target, 
/**
 * One after the other; they stop when the document they began in is gone.
 */
chords: Array<Chord>, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `keyboard/type`.
 */
export type KeyboardType = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Which field.
 */
target: Target, 
/**
 * What to type.
 */
text: string, 
/**
 * Keep what is there and add to its end.
 */
append: boolean, 
/**
 * Press Enter afterwards.
 */
submit: boolean, 
/**
 * How.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * A tree of a document that the daemon holds.
 */
export type KnownTree = { 
/**
 * Ordinal of the document.
 */
doc: number, 
/**
 * Number of the tree within it.
 */
tree: number, };

/**
 * Parameters of `link/echo`.
 */
export type LinkEcho = { 
/**
 * Ask the content script of this tab's main frame too.
 */
tab?: number, };

/**
 * No parameters.
 */
export type LinkReload = Record<symbol, never>;

/**
 * Result of `pointer/listeners`: what stands on the target's path.
 */
export type Listeners = { 
/**
 * Event types listened to by listeners that can act (a passive one that captures at window or document only watches).
 */
types: Array<string>, 
/**
 * Each of them was shown to do nothing with an untrusted event: V8 ran it in its side-effect-free mode and it came back.
 */
inert: boolean, 
/**
 * Calls in their source that Chrome refuses without user activation (`window.open` …): with synthetic input they had no effect.
 */
needsActivation: Array<string>, 
/**
 * What activation does by itself: `link`, `submit`, `toggle`, `summary` …
 */
defaultAction?: string, };

/**
 * All evidence since the action began, as of now.
 */
export type Look = { 
/**
 * Milliseconds since the dispatch, by the worker's clock.
 */
elapsedMs: number, 
/**
 * How long the page had been watched before the dispatch, in milliseconds.
 */
historyMs: number, 
/**
 * Everything seen so far, strongest first.
 */
evidence: Array<Evidence>, 
/**
 * The target as it is now; absent when its document is gone.
 */
target?: TargetFacts, 
/**
 * What was asked of controls, read back.
 */
held?: Array<ReadBack>, 
/**
 * The tab is in the background or its window is hidden.
 */
hidden: boolean, 
/**
 * A native dialog that is open now.
 */
dialog?: Dialog, 
/**
 * How much could be seen.
 */
quality: Quality, 
/**
 * What could not, in words.
 */
missing: Array<string>, };

/**
 * A node that was looked for.
 */
export type Match = { 
/**
 * The node in words; it always has a number.
 */
node: Described, 
/**
 * Its states.
 */
states: Array<State>, 
/**
 * Frame it is in.
 */
frame: number, 
/**
 * Text around it, or the text that was found; cut to 160 characters.
 */
text?: string, };

/**
 * A key that is held during a press.
 */
export type Modifier = "alt" | "control" | "meta" | "shift";

/**
 * A control that moves money, in words.
 */
export type MoneyPress = { 
/**
 * What it says.
 */
label: string, 
/**
 * The amount in it or beside it.
 */
amount?: string, };

/**
 * Words by which a control that moves money is known. Latin words stand alone (`pay`, not `display`); others may stand anywhere.
 */
export type MoneyWords = { 
/**
 * A label with one of these asks for the person.
 */
pay: Array<string>, 
/**
 * A label that begins with one of these does when an amount stands in it or right beside it.
 */
generic: Array<string>, 
/**
 * What makes a number an amount: signs and words of currencies.
 */
currencies: Array<string>, 
/**
 * A label with one of these and no amount only speaks of paying. Nobody can add to it.
 */
harmless?: Array<string>, };

/**
 * Parameters of `navigate/go`.
 */
export type NavigateGo = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Absolute http or https address.
 */
url: string, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Parameters of `navigate/history`.
 */
export type NavigateHistory = { 
/**
 * Tab.
 */
tab: number, 
/**
 * -1 back, 1 forward.
 */
delta: number, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Parameters of `navigate/reload`.
 */
export type NavigateReload = { 
/**
 * Tab.
 */
tab: number, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Where a navigation ended.
 */
export type Navigation = { 
/**
 * The tab afterwards.
 */
tab: Tab, 
/**
 * How it ended.
 */
end: NavigationEnd, 
/**
 * HTTP status of the main document, when there was one.
 */
status?: number, 
/**
 * Chrome's error word (`net::ERR_…`).
 */
error?: string, };

/**
 * How a navigation ended.
 */
export type NavigationEnd = "complete" | "interactive" | "committed" | "sameDocument" | "nothing" | "failed" | "endOfHistory" | "dialog";

/**
 * One node of a frame's tree, in pre-order.
 */
export type Node = { 
/**
 * Nesting level; the frame's top nodes have 0.
 */
depth: number, 
/**
 * ARIA role, or `text` for a text run, `iframe` for a frame's place.
 */
role: string, 
/**
 * Accessible name, or the text of a text run.
 */
name?: string, 
/**
 * Number of the node within its document, when it can be a target.
 */
node?: number, 
/**
 * States that hold, in the order of [`State`].
 */
states?: Array<State>, 
/**
 * Current value of a field; a secret one is only a length.
 */
value?: Value, 
/**
 * Heading level, 1 to 6 (or `aria-level`).
 */
level?: number, 
/**
 * Destination of a link as written in the page, cut to 200 characters.
 */
url?: string, 
/**
 * For `iframe`: Chrome's frame id of the document inside, when known.
 */
frame?: number, 
/**
 * Why nothing of the inside is shown (closed surface, canvas, frame that cannot be entered).
 */
opaque?: string, };

/**
 * A length or position in CSS pixels.
 */
export type Offset = { 
/**
 * To the right.
 */
x: number, 
/**
 * Down.
 */
y: number, };

/**
 * Result of `form/owner`: how the fields are submitted together.
 */
export type Owner = { "kind": "button", 
/**
 * The button, with its ref.
 */
button: Described, } | { "kind": "form", } | { "kind": "none", 
/**
 * Why.
 */
why: string, };

/**
 * The panel in the page, at the bottom right.
 */
export type Panel = { "kind": "ask", 
/**
 * Which question.
 */
id: number, 
/**
 * The question.
 */
text: string, } | { "kind": "close", 
/**
 * Which question.
 */
id: number, } | { "kind": "status", 
/**
 * The line.
 */
text: string, };

/**
 * The person's answer.
 */
export type PanelAnswer = { 
/**
 * What was pressed.
 */
word: PanelWord, 
/**
 * What was written beside it.
 */
note?: string, };

/**
 * Result of `human/panel`.
 */
export type PanelState = { 
/**
 * It is shown, or was answered.
 */
shown: boolean, 
/**
 * The answer, once there is one.
 */
answer?: PanelAnswer, };

/**
 * What the person pressed.
 */
export type PanelWord = "done" | "cancel";

/**
 * What the person answered to the card.
 */
export type Permission = "allowed" | "refused" | "timedOut";

/**
 * Where the change is, seen from the target.
 */
export type Place = "target" | "section" | "away" | "browser";

/**
 * Parameters of `pointer/click`.
 */
export type PointerClick = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What to click.
 */
target: Target, 
/**
 * How.
 */
press: Press, 
/**
 * How the input is made.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows; the watch of the action before ends.
 * A trusted retry keeps the watch of its first try, so that nothing between is lost.
 */
watch: number, 
/**
 * Refuses as sensitive what submits a form, and what has one of these words in its name's first 40 characters or in its marks:
 * ASCII words stand alone, others anywhere, all in lower case. Absent: nothing is spared.
 */
spare?: Array<string>, };

/**
 * Parameters of `pointer/drag`.
 */
export type PointerDrag = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What is dragged.
 */
target: Target, 
/**
 * Onto what; absent: as far as the offset says.
 */
onto?: Target, 
/**
 * From the middle of what it is dragged onto, or of itself.
 */
offset: Offset, 
/**
 * How the input is made.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `pointer/facts`.
 */
export type PointerFacts = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What to describe; absent: what has the focus.
 */
target?: Target, };

/**
 * Parameters of `pointer/hover`.
 */
export type PointerHover = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Where to.
 */
target: Target, 
/**
 * How the input is made; styles follow trusted input only.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `pointer/listeners`.
 */
export type PointerListeners = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Whose path.
 */
target: Target, };

/**
 * Parameters of `pointer/scroll`.
 */
export type PointerScroll = { 
/**
 * Tab.
 */
tab: number, 
/**
 * The nearest scroller around it, or itself; absent: the page, or the biggest scroller where the page has none.
 */
target?: Target, 
/**
 * How far.
 */
scroll: Scroll, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * How the mouse is pressed.
 */
export type Press = { 
/**
 * Which button.
 */
button: Button, 
/**
 * Presses in a row, 1 to 3.
 */
count: number, 
/**
 * Held meanwhile.
 */
modifiers: Array<Modifier>, 
/**
 * Milliseconds between press and release.
 */
holdMs: number, };

/**
 * One key of a US keyboard (UI Events, `key` and `code`), or a character that no such key writes.
 */
export type PressedKey = { 
/**
 * `KeyboardEvent.key`.
 */
key: string, 
/**
 * `KeyboardEvent.code`; empty for a character without a key.
 */
code: string, 
/**
 * Windows virtual key code; 0 for a character without a key.
 */
number: number, 
/**
 * What it writes; absent when it writes nothing.
 */
text?: string, };

/**
 * Answer of `wait/probe`.
 */
export type Probe = { 
/**
 * Index of the first condition that holds.
 */
met?: number, 
/**
 * Frame in which it holds.
 */
frame?: number, 
/**
 * The tab as it is.
 */
tab: Tab, 
/**
 * Beginning of the visible text, at most 300 characters: what is there instead.
 */
there: string, 
/**
 * Frames that could not be read.
 */
unread: number, };

/**
 * How much the look could see.
 */
export type Quality = "complete" | "partial" | "unavailable";

/**
 * Result of `data/query`.
 */
export type QueryResult = { "kind": "rows", 
/**
 * The tab.
 */
tab: Tab, 
/**
 * Names of the values: fields, or headers of a table.
 */
columns: Array<string>, 
/**
 * How many there are.
 */
count: number, 
/**
 * The first of them.
 */
rows: Array<Row>, 
/**
 * Frames that could not be searched.
 */
unread: number, } | { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, };

/**
 * What a control holds against what was asked of it, compared inside the page.
 */
export type ReadBack = { 
/**
 * Which field of the call, from 0.
 */
field: number, 
/**
 * Exactly what was asked for.
 */
holds: boolean, 
/**
 * It held that at some look, now or before.
 */
once: boolean, 
/**
 * Before the action: text, `checked`, labels of the chosen options, names of files.
 */
before: Value, 
/**
 * Now; absent when the control is gone.
 */
now?: Value, 
/**
 * A list of suggestions is open at it.
 */
listOpen?: boolean, 
/**
 * An editor that shows a part of its document only: what of it was seen.
 */
part?: Seen, };

/**
 * What became of one field at the dispatch; what it holds is read back by every look.
 */
export type Receipt = { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, } | { "kind": "already", 
/**
 * The field.
 */
field: Described, } | { "kind": "done", 
/**
 * The field.
 */
field: Described, 
/**
 * For text: UTF-16 units that its own limits let through.
 */
accepted?: number, } | { "kind": "unknown", 
/**
 * Why.
 */
why: string, };

/**
 * What `data/requests` does about bodies.
 */
export type Recording = "keep" | "start" | "stop";

/**
 * Why the page refused to act; nothing was dispatched.
 */
export type Refusal = { "reason": "navigated" } | { "reason": "removed", 
/**
 * What it was.
 */
was: Described, } | { "reason": "changed", 
/**
 * What the snapshot showed.
 */
was: Described, 
/**
 * What it is.
 */
now: Described, } | { "reason": "notFound", 
/**
 * Some that are there, at most 12.
 */
seen: Array<Described>, } | { "reason": "ambiguous", 
/**
 * How many.
 */
count: number, 
/**
 * The first 8.
 */
candidates: Array<Described>, } | { "reason": "badSelector", 
/**
 * What the parser said.
 */
message: string, } | { "reason": "covered", 
/**
 * The target.
 */
target: Described, 
/**
 * The cover.
 */
by: Described, 
/**
 * The cover lies in a parent document.
 */
inParent: boolean, } | { "reason": "disabled", 
/**
 * The target.
 */
target: Described, 
/**
 * `itself`, `fieldset "…"`, `aria-disabled`, `inert`.
 */
how: string, } | { "reason": "notVisible", 
/**
 * The target.
 */
target: Described, 
/**
 * Which rule hides it.
 */
how: string, } | { "reason": "moving", 
/**
 * The target.
 */
target: Described, } | { "reason": "notEditable", 
/**
 * The target.
 */
target: Described, 
/**
 * `readonly`, `aria-readonly`.
 */
how: string, } | { "reason": "outside", 
/**
 * Width of the viewport.
 */
width: number, 
/**
 * Height of the viewport.
 */
height: number, } | { "reason": "needsConfirmation", 
/**
 * What the control says.
 */
label: string, 
/**
 * The amount in it or beside it.
 */
amount?: string, 
/**
 * Chords of this command that were pressed before.
 */
pressed?: number, } | { "reason": "sensitive", 
/**
 * The target.
 */
target: Described, } | { "reason": "wrongKind", 
/**
 * The target.
 */
target: Described, 
/**
 * Why not this one: `is not a text field`.
 */
what: string, 
/**
 * What to use.
 */
instead: string, } | { "reason": "badValue", 
/**
 * The field.
 */
target: Described, 
/**
 * What it takes: `a date as 2026-11-30`.
 */
takes: string, } | { "reason": "several", 
/**
 * Reasons.
 */
refusals: Array<Refusal>, } | { "reason": "noOption", 
/**
 * The list.
 */
target: Described, 
/**
 * What was asked for.
 */
wanted: string, 
/**
 * Labels of some that are there, at most 20.
 */
options: Array<string>, 
/**
 * How many there are.
 */
count: number, 
/**
 * It had to be opened to see them, and is open now.
 */
opened?: boolean, };

/**
 * Why the daemon closes the link.
 */
export type Refused = { 
/**
 * Word for programs.
 */
why: RefusedWhy, 
/**
 * Sentence for the popup, with the way out.
 */
message: string, };

/**
 * Words of [`Refused`].
 */
export type RefusedWhy = "protocol" | "unpaired" | "code" | "proof" | "taken" | "malformed";

/**
 * One request of a tab.
 */
export type Request = { 
/**
 * Number in the tab, from 1 in the order of time; never given twice.
 */
number: number, 
/**
 * HTTP method.
 */
method: string, 
/**
 * Address; cut to 2000 characters.
 */
url: string, 
/**
 * Chrome's type: `xmlhttprequest`, `script`, `image`, …
 */
resource: string, 
/**
 * HTTP status.
 */
status?: number, 
/**
 * `net::ERR_…`
 */
error?: string, 
/**
 * MIME type of the answer.
 */
mime?: string, 
/**
 * Bytes of the body, as the server says.
 */
size?: number, 
/**
 * Milliseconds until it ended.
 */
tookMs?: number, 
/**
 * Its body was kept.
 */
body: boolean, };

/**
 * Answer of `data/requests`.
 */
export type Requests = { 
/**
 * The tab.
 */
tab: Tab, 
/**
 * In the order of time.
 */
requests: Array<Request>, 
/**
 * Older ones that were not kept.
 */
dropped: number, 
/**
 * Bodies are being kept now.
 */
recording: boolean, };

/**
 * One row of a query.
 */
export type Row = { 
/**
 * The element, with a number where it may be acted on.
 */
node: Described, 
/**
 * Its states.
 */
states: Array<State>, 
/**
 * Frame it is in.
 */
frame: number, 
/**
 * CSS path of the element, where text was looked for.
 */
path?: string, 
/**
 * Values in the order of the columns; null where nothing matches.
 */
values: Array<string | null>, };

/**
 * A picture of a tab.
 */
export type Screenshot = { 
/**
 * Base64 of the image.
 */
data: string, 
/**
 * `image/jpeg` or `image/png`.
 */
mime: string, 
/**
 * Width in pixels.
 */
width: number, 
/**
 * Height in pixels.
 */
height: number, 
/**
 * Image pixels per CSS pixel.
 */
scale: number, 
/**
 * The tab was in the background.
 */
hidden: boolean, 
/**
 * Secret fields that were painted over.
 */
masked: number, 
/**
 * Refs that were drawn on it.
 */
marked: number, 
/**
 * Why the target was refused: there is no picture then.
 */
refusal?: Refusal, };

/**
 * How far something is scrolled.
 */
export type Scroll = { "to": "pixels", 
/**
 * To the right.
 */
x: number, 
/**
 * Down.
 */
y: number, } | { "to": "pages", 
/**
 * To the right.
 */
x: number, 
/**
 * Down.
 */
y: number, } | { "to": "start" } | { "to": "end" } | { "to": "view" };

/**
 * What was scrolled, and how it stood right after.
 */
export type Scrolled = { 
/**
 * Before.
 */
from: Offset, 
/**
 * After.
 */
now: Offset, 
/**
 * Farthest it goes.
 */
end: Offset, };

/**
 * How much was seen of a document that is never shown as a whole.
 */
export type Seen = "ends" | "some";

/**
 * Result of `snapshot/take`: every frame of a tab, main frame first.
 */
export type Snapshot = { 
/**
 * The tab it was taken of.
 */
tab: Tab, 
/**
 * Frames, parents before children.
 */
frames: Array<FrameTree>, 
/**
 * Why the target of a part was refused; the frames are empty then.
 */
refused?: Refusal, };

/**
 * Parameters of `snapshot/find`; at least one of role, name and text.
 */
export type SnapshotFind = { 
/**
 * Tab.
 */
tab: number, 
/**
 * ARIA role.
 */
role?: string, 
/**
 * Accessible name.
 */
name?: string, 
/**
 * Visible text inside.
 */
text?: string, 
/**
 * Matches at most.
 */
limit: number, };

/**
 * Parameters of `snapshot/html`.
 */
export type SnapshotHtml = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Only this; absent: the document of the main frame.
 */
target?: Target, 
/**
 * As rendered: shadow roots and slots in place, hidden parts, scripts and styles left out.
 */
shown: boolean, 
/**
 * UTF-16 units at most.
 */
limit: number, };

/**
 * Parameters of `snapshot/take`: the whole tree comes in any case, `target` and `viewport` mark parts of it.
 */
export type SnapshotTake = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Mark the nodes inside this.
 */
target?: Target, 
/**
 * Mark the nodes that are in the viewport now.
 */
viewport?: boolean, 
/**
 * Trees that the daemon holds: of these only the difference is needed.
 */
known?: Array<KnownTree>, 
/**
 * Nobody waits for it and nobody is told: what appeared and went stays to be told.
 */
ahead?: boolean, };

/**
 * Parameters of `snapshot/text`.
 */
export type SnapshotText = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Only this; absent: all frames.
 */
target?: Target, };

/**
 * Nodes in place of others.
 */
export type Splice = { 
/**
 * Index in the earlier tree.
 */
at: number, 
/**
 * How many of its nodes go.
 */
drop: number, 
/**
 * What stands there now.
 */
nodes: Array<Node>, };

/**
 * States of a node (ARIA states and properties, HTML equivalents; closed set).
 */
export type State = "checked" | "unchecked" | "mixed" | "pressed" | "unpressed" | "expanded" | "collapsed" | "selected" | "current" | "disabled" | "readonly" | "required" | "invalid" | "busy" | "modal" | "focused" | "inert" | "clickable" | "file" | "multiple";

/**
 * The nearest part of the page around a node that has a name, or the heading before it.
 */
export type Surrounding = { 
/**
 * ARIA role.
 */
role: string, 
/**
 * Accessible name, or the text of a row or an item; cut to 60 characters.
 */
name: string, };

/**
 * The user's switches; they live in the extension, an agent cannot reach them.
 */
export type Switches = { 
/**
 * No tool acts or reads.
 */
paused: boolean, 
/**
 * The debugger may be used.
 */
trustedInput: boolean, 
/**
 * Agents may run scripts of their own in pages.
 */
eval: boolean, };

/**
 * A tab of the user's browser.
 */
export type Tab = { 
/**
 * Chrome's tab id.
 */
id: number, 
/**
 * Chrome's window id.
 */
window: number, 
/**
 * Address shown.
 */
url: string, 
/**
 * Title shown.
 */
title: string, 
/**
 * In front in its window.
 */
active: boolean, 
/**
 * Still loading.
 */
loading: boolean, 
/**
 * Unloaded by Chrome to save memory.
 */
discarded: boolean, 
/**
 * Tab that opened it.
 */
opener?: number, 
/**
 * Why extensions may not act on this page (`chrome page`, `web store`, …).
 */
restricted?: string, 
/**
 * A native dialog that is open on it.
 */
dialog?: Dialog, };

/**
 * Result of `tabs/list`.
 */
export type Tabs = { 
/**
 * In window order.
 */
tabs: Array<Tab>, };

/**
 * Parameters of `tabs/activate`.
 */
export type TabsActivate = { 
/**
 * Tab.
 */
tab: number, };

/**
 * Parameters of `tabs/close`.
 */
export type TabsClose = { 
/**
 * Tab.
 */
tab: number, };

/**
 * Parameters of `tabs/create`.
 */
export type TabsCreate = { 
/**
 * Address; absent: an empty page.
 */
url?: string, 
/**
 * In front.
 */
active: boolean, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Parameters of `tabs/hold`: the whole list, each time.
 */
export type TabsHold = { 
/**
 * Held tabs.
 */
held: Array<Held>, };

/**
 * No parameters.
 */
export type TabsList = Record<symbol, never>;

/**
 * Where an action goes.
 */
export type Target = { "by": "ref", 
/**
 * Ordinal of its document.
 */
doc: number, 
/**
 * Number within the document.
 */
node: number, } | { "by": "name", 
/**
 * ARIA role.
 */
role: string, 
/**
 * Accessible name.
 */
name: string, 
/**
 * Which of several, from 0, in document order.
 */
nth?: number, } | { "by": "point", 
/**
 * From the left.
 */
x: number, 
/**
 * From the top.
 */
y: number, } | { "by": "css", 
/**
 * CSS selector.
 */
selector: string, };

/**
 * What is known of the target at one moment.
 */
export type TargetFacts = { 
/**
 * The node in words.
 */
described: Described, 
/**
 * Lower-case tag name.
 */
tag: string, 
/**
 * States that hold.
 */
states: Array<State>, 
/**
 * Value of a field or editing host.
 */
value?: Value, 
/**
 * Still attached to its document.
 */
connected: boolean, 
/**
 * Submits a form when activated.
 */
submits: boolean, 
/**
 * A link, or a control that opens a new browsing context by itself.
 */
opensTab: boolean, 
/**
 * An editing host that is not a plain field.
 */
rich: boolean, 
/**
 * Shows what cannot be read: a canvas, an embedded object.
 */
opaque?: boolean, 
/**
 * Secret-like field: password, one-time code, card.
 */
secret: boolean, 
/**
 * What the controls that a press on it activates say of themselves, class tokens and test ids, in lower case, cut to 400 characters: for
 * the sensitive-word rule.
 */
marks: string, };

/**
 * Result of `snapshot/text`: text, or why the target was refused.
 */
export type TextResult = { "kind": "read", 
/**
 * The tab.
 */
tab: Tab, 
/**
 * One entry a frame, main frame first.
 */
frames: Array<FrameText>, } | { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, };

/**
 * How well found nodes match.
 */
export type Tier = "exact" | "contains" | "none";

/**
 * What a field holds.
 */
export type Value = { "kind": "plain", 
/**
 * Value as the page would read it.
 */
text: string, } | { "kind": "secret", 
/**
 * UTF-16 length, as `value.length`.
 */
length: number, };

/**
 * Text of an alert or status region that was shown since the last snapshot of the document and is not there any more.
 */
export type Vanished = { 
/**
 * Role of the region: alert, status, log.
 */
role: string, 
/**
 * What it said, cut to 200 characters.
 */
text: string, 
/**
 * Milliseconds since it was first seen.
 */
agoMs: number, };

/**
 * Parameters of `wait/probe`.
 */
export type WaitProbe = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Alternatives.
 */
conditions: Array<Condition>, };

/**
 * Parameters of `watch/look`.
 */
export type WatchLook = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Number given with the action.
 */
watch: number, };

/** Parameters and result of every command, by method. */
export interface Commands {
  "tabs/list": { params: TabsList; result: Tabs };
  "tabs/create": { params: TabsCreate; result: Navigation };
  "tabs/activate": { params: TabsActivate; result: Tab };
  "tabs/close": { params: TabsClose; result: Done };
  "tabs/hold": { params: TabsHold; result: Done };
  "navigate/go": { params: NavigateGo; result: Navigation };
  "navigate/history": { params: NavigateHistory; result: Navigation };
  "navigate/reload": { params: NavigateReload; result: Navigation };
  "snapshot/take": { params: SnapshotTake; result: Snapshot };
  "snapshot/text": { params: SnapshotText; result: TextResult };
  "snapshot/html": { params: SnapshotHtml; result: HtmlResult };
  "snapshot/find": { params: SnapshotFind; result: FoundNodes };
  "pointer/click": { params: PointerClick; result: Act };
  "pointer/facts": { params: PointerFacts; result: Facts };
  "pointer/hover": { params: PointerHover; result: Act };
  "pointer/scroll": { params: PointerScroll; result: Act };
  "pointer/drag": { params: PointerDrag; result: Act };
  "pointer/listeners": { params: PointerListeners; result: Listeners };
  "keyboard/type": { params: KeyboardType; result: Act };
  "keyboard/press": { params: KeyboardPress; result: Act };
  "form/check": { params: FormCheck; result: Act };
  "form/select": { params: FormSelect; result: Act };
  "form/fill": { params: FormFill; result: Filled };
  "form/owner": { params: FormOwner; result: Owner };
  "form/submit": { params: FormSubmit; result: Act };
  "form/upload": { params: FormUpload; result: Act };
  "dialog/answer": { params: DialogAnswer; result: Act };
  "watch/look": { params: WatchLook; result: Look };
  "wait/probe": { params: WaitProbe; result: Probe };
  "capture/screenshot": { params: CaptureScreenshot; result: Screenshot };
  "data/query": { params: DataQuery; result: QueryResult };
  "data/console": { params: DataConsole; result: Console };
  "data/requests": { params: DataRequests; result: Requests };
  "data/body": { params: DataBody; result: Body };
  "data/fetch": { params: DataFetch; result: Fetched };
  "data/download": { params: DataDownload; result: Downloaded };
  "human/words": { params: HumanWords; result: Done };
  "human/confirm": { params: HumanConfirm; result: Confirmed };
  "data/eval": { params: DataEval; result: Evaluated };
  "link/reload": { params: LinkReload; result: Done };
  "human/panel": { params: HumanPanel; result: PanelState };
  "link/echo": { params: LinkEcho; result: Echo };
}
