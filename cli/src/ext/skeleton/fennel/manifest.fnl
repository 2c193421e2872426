{:name :NAME
 :description "Counts words"
 :capabilities []}
