"""English small talk of any length, from templates; used by make_conversations.py."""

SHORT = [
    "Yes, exactly.", "No, not yet.", "I see.", "Right, of course.", "Are you sure?", "That makes sense.",
    "Good point.", "Maybe later.", "Oh, really?", "I think so too.", "Let me check.", "That is true.",
    "Sounds fine to me.", "What do you mean?", "I agree with that.", "Not this time.", "Thank you very much.",  # phrase-ok
    "I have no idea.", "Could be worse.", "Fair enough, then.", "Why not?", "All right, thanks.",
]
PLACES = [
    "the harbour", "the old library", "the market", "the train station", "our office", "the hospital", "the museum",
    "the river", "the school", "the workshop", "the town hall", "the airport", "the bakery", "the garden",
]
PEOPLE = [
    "my sister", "the manager", "our neighbour", "the new engineer", "my cousin", "the teacher", "the driver",
    "a friend of mine", "the landlord", "my grandfather", "the editor", "the nurse", "an old colleague",
]
THINGS = [
    "the report", "the blue folder", "the camera", "the keys", "the budget", "the second draft", "the tickets",
    "the drawings", "the kitchen table", "the software", "the contract", "the map", "the recording", "the bicycle",
]
TIMES = [
    "on Monday", "last week", "in the morning", "before lunch", "after the meeting", "in October", "tomorrow",
    "next spring", "at the weekend", "around six", "two days ago", "every Thursday", "this afternoon",
]
REASONS = [
    "the weather turned cold", "nobody had told us about it", "the road was closed", "we ran out of money",
    "the printer broke down again", "it was simply too expensive", "everyone had already gone home",
    "the numbers did not add up", "there was a small mistake in it", "the train was late",
]
FEELINGS = ["surprised", "relieved", "a bit worried", "delighted", "confused", "tired", "quite proud", "curious"]
QUALITIES = ["warm", "quiet", "busy", "strange", "expensive", "beautiful", "difficult", "simple", "dark", "crowded"]

SENTENCES = [
    "{Person} left {thing} at {place} {time}.",
    "I was {feeling} when I heard that {reason}.",
    "Could you ask {person} to bring {thing} to {place}?",
    "We went to {place} {time}, but {reason}.",
    "It looked {quality} at first, and then {reason}.",
    "If you see {person} {time}, please mention {thing}.",
    "{Person} said that {reason}, so we stayed at {place}.",
    "I would rather talk about {thing} {time}.",
    "Do you remember when {person} lost {thing} near {place}?",
    "The whole thing took longer than planned, because {reason}.",
    "Every time I walk past {place}, I think of {person}.",
    "They want to move {thing} from {place} to {place2}.",
    "Honestly, I felt {feeling} about {thing}.",
    "What surprised me most was how {quality} {place} had become.",
    "{Person} and {person2} met at {place} {time}.",
    "There is still a question about {thing} that we have to answer {time}.",
    "Nobody wanted to carry {thing} all the way to {place}.",
    "My plan is to finish {thing} {time} and then call {person}.",
    "She told me that {place} is rather {quality} at this time of year.",
    "I am not sure whether {person} has seen {thing}.",
    "Let us meet at {place} {time} and look at {thing} together.",
    "We should have asked {person} before we sold {thing}.",
    "The last time {reason}, {person} was {feeling} for days.",
    "Would it be possible to keep {thing} at {place} for a while?",
    "I read about {place} in the paper, and it seems that {reason}.",
    "It is a {quality} place, and {person} likes it there.",
    "As far as I know, {person} paid for {thing} {time}.",
    "You were right about {place}, it really is {quality}.",
    "My guess is that {person} took {thing} home {time}.",
    "Before we decide, I want to hear what {person} thinks.",
]


def sentence(draw):
    """One sentence; `draw` is a random.Random."""
    place, place2 = draw.sample(PLACES, 2)
    person, person2 = draw.sample(PEOPLE, 2)
    return draw.choice(SENTENCES).format(
        place=place, place2=place2, person=person, person2=person2, Person=person[0].upper() + person[1:],
        thing=draw.choice(THINGS), time=draw.choice(TIMES), reason=draw.choice(REASONS),
        feeling=draw.choice(FEELINGS), quality=draw.choice(QUALITIES))


def short(draw):
    """A reply of a few words."""
    return draw.choice(SHORT)
