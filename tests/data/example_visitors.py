"""Makes visitors.csv: four imagined coders read the visitors' book of a small railway museum.

The remarks are our own. The coders differ as coders do: Ada is careful, Bruno finds everybody
happier than they are, Chiara takes the children for the exhibits, Deniz is tired. Run
``python tests/data/example_visitors.py`` to write the file again; the seed is fixed.
"""

from __future__ import annotations

import csv

import numpy as np

from accordant.data.examples import path

__all__ = ["MOODS", "TOPICS", "rows"]

TOPICS = ("exhibits", "staff", "building", "café", "tickets", "children")
MOODS = (1, 2, 3, 4, 5)  # from angry to delighted

# topic / the topic it is mistaken for / mood / what the visitor wrote
REMARKS = """
exhibits/-/5/The little blue tank engine is even lovelier than in my grandmother's photographs.
exhibits/-/4/I could have looked at the signal box for hours.
exhibits/building/4/Good light on the old posters, one sees every brush stroke.
exhibits/-/3/Two of the showcases were empty, the rest was fine.
exhibits/-/2/Most labels are only in one language and set in tiny letters.
exhibits/children/5/The model railway ran all afternoon and nobody wanted to leave.
exhibits/-/1/The one locomotive we came for has been away since spring, and no sign says so.
exhibits/staff/4/The talk about steam brakes made sense of everything upstairs.
exhibits/-/5/A dining car laid for dinner in 1931: I felt like a passenger.
exhibits/-/3/Many lanterns. Perhaps a few too many lanterns.
exhibits/-/4/The tickets from closed branch lines are a quiet treasure.
exhibits/tickets/3/Fine collection of old tickets, though I would have liked to hold one.
exhibits/-/2/The audio guide stopped in the middle of every story.
exhibits/-/5/Whoever restored the sleeping car deserves a medal.
exhibits/building/3/The big turntable is outside, so bring an umbrella.
exhibits/-/4/I learned why clocks in our town all show the same time.
exhibits/-/2/Half of the buttons did nothing when pressed.
exhibits/-/3/Much about engines, little about the people who drove them.
exhibits/-/5/The night train room, with its sounds and its moving window, is pure poetry.
exhibits/children/4/My nephew explained the points lever to me, and he was right.
staff/-/5/The gentleman in the signal box answered all nine of my questions.
staff/-/5/Our guide sang the station names. All of them!
staff/exhibits/4/A retired driver showed us how a boiler breathes.
staff/-/2/The attendant talked on the telephone while we waited.
staff/tickets/2/At the desk nobody could tell us which rooms were open.
staff/-/4/Someone ran after us with the scarf we had forgotten.
staff/-/3/Friendly enough, but hard to find.
staff/children/5/Our guide let every child blow the whistle once, and stayed patient to the end.
staff/-/1/We were sent out of the hall twenty minutes before closing, and not kindly.
staff/-/4/They found a chair for my mother without being asked.
staff/café/4/The lady at the counter lent me her own reading glasses.
staff/-/3/Three attendants for one room, none for the next.
staff/-/5/Please give the young man with the oil can a rise.
staff/-/2/Our guide hurried as if he had a train to catch.
staff/exhibits/3/He knew everything about gauges and told us all of it.
staff/-/4/They spoke slowly for our exchange students and drew little maps.
staff/-/1/I was told that my question was silly.
staff/building/4/The caretaker unlocked the old waiting room just for us.
staff/-/3/Polite, correct, a little sleepy.
staff/-/5/Never have I been welcomed so warmly in a museum.
building/-/5/What a roof! The iron looks like lace.
building/-/4/The restored waiting room smells of wax and wood, as it should.
building/-/2/It is as cold as a platform in January.
building/-/1/The lift was out of order, so my father saw one floor of four.
building/exhibits/4/The hall itself is the finest thing on show.
building/-/3/Large, a bit draughty, and handsome.
building/-/2/We could not find the way out and ended up in a store room.
building/-/4/Clean, bright and easy to get around with a wheelchair.
building/café/2/The smell of frying reaches the first floor.
building/-/3/The cloakroom lockers take only a coin that nobody has any more.
building/-/5/Evening sun through the station clock: I took forty pictures.
building/-/2/Far too few benches for so many rooms.
building/children/3/The spiral stairs are splendid and no place for small legs.
building/-/4/Whoever chose the green of the doors has an eye.
building/-/1/Water dripped on the map case while we stood there.
building/-/3/The new wing could be an office anywhere.
building/exhibits/4/From the gallery one sees the whole engine shed at once.
building/staff/2/The toilets were locked and no one knew who had the key.
building/-/4/A courtyard with a lime tree, and peace.
building/-/3/Signs point to a garden that is still a car park.
café/-/5/The plum cake alone is worth the journey.
café/-/4/Good strong coffee in real station cups.
café/-/2/Soup at eleven o'clock: sold out. Soup at noon: sold out.
café/tickets/2/Four coins for a glass of tap water is a lot.
café/-/3/The sandwiches are what one expects of a railway.
café/building/4/We sat in an old compartment and ate by the window.
café/-/1/We waited forty minutes for two pots of tea.
café/-/5/Somebody bakes here who loves baking.
café/staff/4/The waiter remembered that I take no milk.
café/-/3/Fine, apart from the wobbly table.
café/-/2/Nothing at all for people who eat no meat.
café/children/4/Small portions for small people, at last.
café/-/3/The menu is longer than the kitchen can manage.
café/-/5/Hot chocolate as thick as axle grease, and I mean it kindly.
café/exhibits/4/I liked the timetable from 1912 printed on the place mats.
café/-/1/The fish had missed its connection, by days.
café/-/2/Dirty trays stood about all afternoon.
café/-/4/Quick, cheap and tasty: the lentil stew.
café/staff/2/One person for the whole queue, poor soul.
café/-/3/Closed on the day we came, so I can only praise the view of it.
tickets/-/2/Dear for a family of five.
tickets/-/4/The yearly pass pays for itself on the second visit.
tickets/-/1/The website sold me a ticket for a day on which you are closed.
tickets/-/3/The price is fair, the queue is not.
tickets/staff/1/At the desk I was charged twice and had to argue for my money.
tickets/-/5/Free on the first Sunday: thank you from all of us.
tickets/children/3/Why does a baby need a ticket?
tickets/-/4/It was easy to book on the telephone, even for me.
tickets/-/2/The steam ride costs extra, which the leaflet keeps to itself.
tickets/-/3/I would rather pay by card.
tickets/-/4/The paper ticket is so pretty that I keep it as a bookmark.
tickets/exhibits/2/Full price although the big hall was closed.
tickets/-/5/The combined ticket with the tram is a splendid idea.
tickets/-/1/The machine swallowed my note and was silent.
tickets/-/3/Students pay half, teachers pay all. So be it.
tickets/café/4/The voucher for a coffee on the back is a kind thought.
tickets/-/2/Timed entry, and then we stood outside for half an hour.
tickets/-/4/Good value for a whole rainy day.
tickets/building/3/One must walk round the whole station to find the entrance desk.
tickets/-/5/They let us come back the next day on the same ticket.
children/-/5/My daughter drove the tiny tram and is now a driver for life.
children/exhibits/5/Levers to pull, bells to ring: the twins were in heaven.
children/-/2/The play corner had three crayons and no paper.
children/exhibits/4/The treasure hunt led our class through every room.
children/-/3/Good for six-year-olds, dull for teenagers.
children/-/1/My son pinched his finger in the loose door of the toy train.
children/staff/5/The birthday party was run like clockwork, and with jokes.
children/-/4/Steps at every showcase, so that the little ones can see.
children/building/2/Nowhere to leave a pram.
children/-/4/They painted tickets, stamped them and travelled to the moon.
children/exhibits/3/The quiz is nice, but half the answers are out of reach.
children/-/2/Too loud for our youngest, and no quiet room.
children/café/3/We warmed the baby's bottle ourselves, somehow.
children/-/5/Three generations on one wooden horse: see the picture.
children/exhibits/4/Our boys built a bridge of beechwood and it held.
children/-/3/A long wait for the ride, then a short ride.
children/staff/2/The lady told the class to be quiet four times.
children/-/4/The story hour in the mail van was just the right length.
children/tickets/2/Each craft table asks for another coin.
children/-/5/She fell asleep with the conductor's cap on.
"""

# who / wrong topic where another is near / wrong topic else / shift and spread of mood / missing
CODERS = (
    ("Ada", 0.10, 0.02, 0.0, 0.35, 0.02),
    ("Bruno", 0.30, 0.05, 0.45, 0.55, 0.03),
    ("Chiara", 0.35, 0.06, -0.1, 0.50, 0.12),
    ("Deniz", 0.45, 0.18, 0.1, 0.95, 0.08),
)


def rows(seed: int = 1891) -> list[dict[str, str]]:
    """One row for each item and coder; a coder who skipped an item left both cells blank."""
    rng = np.random.default_rng(seed)
    out = []
    for k, line in enumerate(REMARKS.strip().splitlines(), 1):
        topic, near, mood, text = line.split("/", 3)
        for name, slip, stray, shift, spread, missing in CODERS:
            chosen = topic
            if near != "-" and rng.random() < slip + (0.3 if _merges(name, topic, near) else 0):
                chosen = near
            elif rng.random() < stray:
                chosen = str(rng.choice([t for t in TOPICS if t != topic]))
            felt = int(np.clip(np.rint(int(mood) + shift + spread * rng.normal()), 1, 5))
            skipped = rng.random() < missing
            out.append(
                {
                    "item": f"v{k:03}",
                    "coder": name,
                    "topic": "" if skipped else chosen,
                    "mood": "" if skipped else str(felt),
                    "text": text,
                }
            )
    return out


def _merges(name: str, topic: str, near: str) -> bool:
    return name == "Chiara" and {topic, near} == {"children", "exhibits"}


if __name__ == "__main__":
    made = rows()
    with path("visitors").open("w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, list(made[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)
